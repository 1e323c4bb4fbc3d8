package dev.superstep.engine.run;

import dev.superstep.state.value.ObjectValue;
import java.time.Instant;

/// An answer that a task expects from outside, and that may be there already (E51).
///
/// @param number among those of its task, from 1
/// @param token whoever has it may answer
/// @param url where
public record OpenCallback(String id, int number, String token, String url, Instant deadline) {

  /// The token of the `number`-th callback of a task: `[<tenant>.]<id>.<secret>`.
  public static CallbackName of(BirthId birthId, TaskKey task, int number, int era) {
    var id = birthId.callback(task, number);
    return new CallbackName(
        id, number, id.replace('/', '.') + "." + birthId.callbackSecret(task, number, era));
  }

  /// What derives from the run of a callback.
  public record CallbackName(String id, int number, String token) {
    /// @param address where it is answered: its token comes behind
    public OpenCallback at(String address, Instant deadline) {
      return new OpenCallback(id, number, token, address + token, deadline);
    }
  }

  /// What its URL has before the token; empty: it has none.
  public String address() {
    return url.substring(0, url.length() - token.length());
  }

  /// As templates see it.
  public ObjectValue shown() {
    return ObjectValue.of("url", url).plus("token", token).plus("deadline", deadline.toString());
  }
}
