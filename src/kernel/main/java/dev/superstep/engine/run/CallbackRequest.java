package dev.superstep.engine.run;

import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.Optional;

/// What a task expects from outside (E51).
///
/// @param type what may answer it
/// @param payload kept with it
/// @param deadline after which it fails, from its opening
/// @param heartbeat for how long the outside may be silent; empty: until the deadline
/// @param address where it is answered: its token comes behind
public record CallbackRequest(
    String type,
    ObjectValue payload,
    Duration deadline,
    Optional<Duration> heartbeat,
    String address) {
  /// The same, which waits no longer than this.
  public CallbackRequest within(Duration left) {
    var rest = left.isPositive() ? left : Duration.ofMillis(1);
    return rest.compareTo(deadline) < 0
        ? new CallbackRequest(type, payload, rest, heartbeat, address)
        : this;
  }

  /// Types of tasks that workers claim do not begin so.
  public static final char MARK = '@';

  /// Whoever has its token answers it.
  public static final String BY_TOKEN = MARK + "callback";
}
