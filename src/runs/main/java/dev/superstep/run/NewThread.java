package dev.superstep.run;

import dev.superstep.state.value.ObjectValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// A request to make a thread.
///
/// @param id chosen by the client; empty: one is generated
public record NewThread(Optional<String> id, ObjectValue metadata, IfExists ifExists) {

  /// What happens if there is a thread of this id.
  public enum IfExists {
    /// The request is refused as `thread_exists`.
    REJECT,
    /// The thread is the answer, unchanged.
    DO_NOTHING;

    public static Optional<IfExists> find(String word) {
      return Arrays.stream(values()).filter(it -> it.apiName().equals(word)).findFirst();
    }

    /// The name in the API.
    public String apiName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
