package dev.superstep.context;

import java.util.Locale;

/// What one stage did to one item of a prompt context, and why (P17).
///
/// @param rule which rule decided: a JSON pointer into the filter, or the name of the type
/// @param because the same in words
public record TraceStep(Stage stage, String source, Action action, String rule, String because) {

  /// On the way from the run's context to a node's view, in this order.
  public enum Stage {
    EDGE,
    TYPE,
    PROCESSOR,
    FILTER,

    /// The filter that nodes of this type have unless they have their own (P9).
    DEFAULT_FILTER;

    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// What happened.
  public enum Action {
    KEPT,
    DROPPED,
    TRANSFORMED,
    RENAMED,
    ADDED;

    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
