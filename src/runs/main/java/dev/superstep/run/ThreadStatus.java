package dev.superstep.run;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// How a thread stands: derived from its runs whenever it is read.
public enum ThreadStatus {
  /// Nothing is active or pending: it takes the next run.
  IDLE,
  /// A run of it is active or waits for it.
  BUSY,
  /// Its state has pending nodes, but nothing drives them: a question, a breakpoint, or a run that
  /// was cancelled on its way.
  INTERRUPTED,
  /// The last run failed.
  ERROR;

  public static Optional<ThreadStatus> find(String word) {
    return Arrays.stream(values()).filter(it -> it.apiName().equals(word)).findFirst();
  }

  /// The name in the API.
  public String apiName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
