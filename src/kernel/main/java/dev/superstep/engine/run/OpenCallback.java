package dev.superstep.engine.run;

import dev.superstep.state.value.ObjectValue;
import java.time.Instant;

/// An answer that a task expects from outside, and that may be there already (E51).
///
/// @param number among those of its task, from 1
/// @param token whoever has it may answer
/// @param url where
public record OpenCallback(String id, int number, String token, String url, Instant deadline) {

  /// As templates see it.
  public ObjectValue shown() {
    return ObjectValue.of("url", url).plus("token", token).plus("deadline", deadline.toString());
  }
}
