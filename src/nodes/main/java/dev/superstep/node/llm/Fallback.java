package dev.superstep.node.llm;

import dev.superstep.engine.run.TaskError;
import dev.superstep.model.ModelAnswer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// When the next model of a list is asked in place of one.
///
/// @param codes of its failures
/// @param turnWait for which its turn may be waited for
record Fallback(Set<String> codes, Duration turnWait) {
  static final Duration WAIT = Duration.ofSeconds(10);
  private static final String FILTERED = "content_filter";
  private static final String REFUSED = "model_refused";

  /// What has nothing to do with the request: another provider may well answer it.
  static final Set<String> USUAL =
      Set.of(
          "model_bad_answer",
          "model_quota_exceeded",
          "model_rate_limited",
          "model_unavailable",
          "model_unreachable",
          "node_timeout");

  static final Fallback STANDARD = new Fallback(USUAL, WAIT);

  Fallback {
    codes = Set.copyOf(codes);
  }

  boolean isFor(TaskError error) {
    return codes.contains(error.code());
  }

  /// Why an answer is none that the node wants of this model; empty if it does.
  Optional<String> unwanted(ModelAnswer answer) {
    if (codes.contains(FILTERED) && answer.finishReason().equals(FILTERED)) {
      return Optional.of(FILTERED);
    }
    return codes.contains(REFUSED) && !answer.refusal().isEmpty()
        ? Optional.of(REFUSED)
        : Optional.empty();
  }
}
