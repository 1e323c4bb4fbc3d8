package dev.superstep.run;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What a new run does when its thread has an active run.
public enum IfBusy {
  /// It is refused as `thread_busy`.
  REJECT,
  /// It starts when the thread is free, in order of posting.
  ENQUEUE,
  /// It ends the active run at its last commit, and continues from there.
  INTERRUPT,
  /// Its input is sent to the active run, as messages: no run starts.
  STEER,
  /// It ends the active run and continues from where that began.
  ROLLBACK;

  public static Optional<IfBusy> find(String word) {
    return Arrays.stream(values()).filter(it -> it.apiName().equals(word)).findFirst();
  }

  /// The name in the API.
  public String apiName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
