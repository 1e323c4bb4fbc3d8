package dev.superstep.run;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Waits for runs, wherever they are driven. Holds no database connection while it waits.
public interface RunWatch {

  /// Returns when the run is at rest, or after `atMost`, or when the server stops.
  default void awaitRest(String run, Duration atMost) throws InterruptedException {
    awaitRest(run, () -> false, atMost);
  }

  /// Likewise, or when it is unwanted.
  ///
  /// @param unwanted whether to give up; checked every few seconds at least
  void awaitRest(String run, BooleanSupplier unwanted, Duration atMost) throws InterruptedException;

  /// Returns when the run has stored events behind `seq`, or they are unwanted, or after `atMost`,
  /// or when the server stops.
  ///
  /// @param unwanted whether to give up; checked again after [#lookAgain]. Interrupting the thread
  ///   instead could break the connection it reads with
  void awaitEvents(String run, long seq, BooleanSupplier unwanted, Duration atMost)
      throws InterruptedException;

  /// Makes those who wait for events of the run check again whether they still have to.
  void lookAgain(String run);

  /// Delivers events that are not stored (`task.started`, `message.delta`, …) to `listener`, from
  /// any thread, whether this or another replica drives the run; the latter as long as replicas can
  /// notify each other, and without any guarantee. The run need not exist yet. The listener must
  /// not block.
  ///
  /// Of a text that is being written the listener first gets what has been written so far, marked
  /// as such, and then the rest: for this replica before this method returns, without gaps and
  /// repetitions; for others soon. When another listener joins, those of other replicas may get
  /// such a piece again: [dev.superstep.run.stream.LiveEventBuffer] leaves out what it has passed
  /// on. A text that is longer than a replica keeps begins with a later piece. Texts of supersteps
  /// that are committed do not come again.
  ///
  /// @return ends the subscription
  Subscription listen(String run, Consumer<EventView> listener);

  /// Has models write texts of the run piece by piece, as if there were a listener: who comes in
  /// the middle of one gets what has been written so far. Unlike [#listen], commits of the run are
  /// not hurried for it, and other replicas know of it once it is renewed, or before they execute
  /// tasks of a superstep that is spread over them.
  Subscription keepTexts(String run);

  /// A subscription to live events, until it is closed.
  interface Subscription extends AutoCloseable {
    /// To be called more often than every minute: other replicas drop a subscription that is not
    /// renewed.
    void renew();

    @Override
    void close();
  }
}
