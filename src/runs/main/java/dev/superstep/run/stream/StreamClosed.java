package dev.superstep.run.stream;

import dev.superstep.engine.run.Event;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Locale;

/// Why a stream ends before its run does. Its last event carries this; the client may continue
/// where it ended.
public enum StreamClosed {
  SLOW_READER("more live events waited than a stream may keep; go on behind the last id"),
  STOPPING("this replica stops; go on behind the last id, at another one"),
  KEY_ENDED("the key of this call has been revoked, or has ended"),
  UNAVAILABLE("the events cannot be read now; go on behind the last id"),
  DELETED("the run has been deleted");

  private final String message;

  StreamClosed(String message) {
    this.message = message;
  }

  public String reason() {
    return name().toLowerCase(Locale.ROOT);
  }

  public Event event() {
    return Event.of(
        "stream.cut",
        ObjectValue.of("reason", Value.of(reason())).plus("message", Value.of(message)));
  }
}
