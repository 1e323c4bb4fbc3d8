package dev.superstep.run.web.stream;

import dev.superstep.run.web.stream.EventStream.Wanted;
import java.time.Duration;
import java.util.Locale;

/// What becomes of a run whose client goes away.
enum OnDisconnect {
  /// Nothing: it does not live on a connection.
  CONTINUE,
  /// It is cancelled.
  CANCEL;

  /// A client that left is noticed by the second write to it.
  private static final Duration PULSE = Duration.ofSeconds(1);

  String apiName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The same stream, with a heartbeat that notices soon enough that the client has left.
  Wanted pulsed(Wanted wanted) {
    return this == CANCEL && wanted.heartbeat().compareTo(PULSE) > 0
        ? new Wanted(wanted.after(), wanted.filter(), wanted.ending(), PULSE, wanted.with())
        : wanted;
  }
}
