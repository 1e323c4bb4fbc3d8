package dev.superstep.run.trigger;

import java.util.Map;
import java.util.function.Supplier;

/// Reads requests to start runs that were stored in the form of an API, for the caller for whom
/// this thread acts.
public interface StartForm {
  /// The form of `POST /v1/runs`.
  String PLAIN = "v1";

  /// As rows have it: stable.
  String name();

  /// Checks a stored request, before the transaction in which the run starts.
  ///
  /// @param run the id of the run, as rows have it
  /// @param metadata that the run has besides that of the request
  /// @return starts the run, as part of the current transaction, and answers with the id of the run
  ///   that is there then
  /// @throws dev.superstep.problem.ServiceException if the request is not taken any more
  Supplier<String> prepare(String json, String run, Map<String, String> metadata);
}
