package dev.superstep.node.spec;

import java.util.Map;

/// Ends the run as failed, with an error of its own, once the superstep has committed: what other
/// nodes did beside it is kept, and nothing runs after it. Such a run cannot be resumed; it can be
/// forked from an earlier checkpoint.
public interface FailConfig {
  /// The error's code, a word like sold_out, by which clients, searches and the error edges of a
  /// calling graph tell it; may be a template. Codes of the service, like those that begin with
  /// http_, can only be passed on by a template.
  FailConfig code(String value);

  /// More for clients: an object of at most 64 KB; templates.
  FailConfig details(Map<String, ?> value);

  /// More for clients: an object of at most 64 KB; templates.
  FailConfig details(String value);

  /// What went wrong, for people; may be a template.
  FailConfig message(String value);
}
