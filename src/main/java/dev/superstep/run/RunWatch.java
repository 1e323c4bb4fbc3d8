package dev.superstep.run;

import java.time.Duration;
import java.util.function.Consumer;

/// Waiting for what runs do, wherever they are driven. Holds no database connection while it waits.
public interface RunWatch {

  /// Returns when the run is at rest, or after `atMost`, or when the server stops.
  void awaitRest(String run, Duration atMost) throws InterruptedException;

  /// Returns when the run has stored events behind `seq`, or after `atMost`, or when the server
  /// stops.
  void awaitEvents(String run, long seq, Duration atMost) throws InterruptedException;

  /// Hands events that are not stored (`task.started`, `message.delta`, …) to `listener`, from any
  /// thread, while the run is driven by this replica. The listener must not block.
  ///
  /// @return ends it
  Subscription listen(String run, Consumer<EventView> listener);

  /// The right to be told, until it is closed.
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
