package dev.superstep.run;

import dev.superstep.run.view.EventView;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Waiting for what runs do, wherever they are driven. Holds no database connection while it waits.
public interface RunWatch {

  /// Returns when the run is at rest, or after `atMost`, or when the server stops.
  void awaitRest(String run, Duration atMost) throws InterruptedException;

  /// Returns when the run has stored events behind `seq`, or nobody wants them any more, or after
  /// `atMost`, or when the server stops.
  ///
  /// @param unwanted whether to give up; asked again after [#lookAgain]. To interrupt the thread
  ///   instead could break the connection with which it looks
  void awaitEvents(String run, long seq, BooleanSupplier unwanted, Duration atMost)
      throws InterruptedException;

  /// Has those who wait for events of the run see whether they still have to.
  void lookAgain(String run);

  /// Hands events that are not stored (`task.started`, `message.delta`, …) to `listener`, from any
  /// thread, whether the run is driven here or elsewhere; the latter as long as replicas can tell
  /// each other, and without any promise. The run need not exist yet. The listener must not block.
  ///
  /// @return ends it
  Subscription listen(String run, Consumer<EventView> listener);

  /// The right to be told, until it is closed.
  interface Subscription extends AutoCloseable {
    /// To be called more often than every minute: other replicas forget who does not.
    void renew();

    @Override
    void close();
  }
}
