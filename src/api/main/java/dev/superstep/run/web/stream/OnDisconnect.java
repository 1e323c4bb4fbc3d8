package dev.superstep.run.web.stream;

import dev.superstep.run.stream.EventStream.Wanted;
import java.time.Duration;
import java.util.Locale;

/// What happens to a run whose client disconnects.
enum OnDisconnect {
  /// Nothing: the run does not depend on a connection.
  CONTINUE,
  /// It is cancelled.
  CANCEL;

  /// The second write to a client that left fails.
  private static final Duration PULSE = Duration.ofSeconds(1);

  String apiName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// This stream with a heartbeat short enough to detect that the client has left.
  Wanted pulsed(Wanted wanted) {
    return this == CANCEL && wanted.heartbeat().compareTo(PULSE) > 0
        ? new Wanted(wanted.after(), wanted.filter(), wanted.ending(), PULSE)
        : wanted;
  }
}
