package dev.superstep.model;

import dev.superstep.engine.Alarm;
import org.jspecify.annotations.Nullable;

/// The connection of one call, for who stops waiting for its answer. Of a streamed one the clients
/// themselves close it only when the next piece is there, if at all.
final class Line implements AutoCloseable {
  private final String id;
  private final Lines lines;
  private State state = State.WAITED_FOR;
  private @Nullable Runnable hangUp;
  private @Nullable Alarm deadline;
  private boolean expired;

  private enum State {
    WAITED_FOR,
    CUT,
    CLOSED
  }

  Line(String id, Lines lines) {
    this.id = id;
    this.lines = lines;
  }

  String id() {
    return id;
  }

  /// The time of the call, from its request to the end of its answer, is over.
  void expire() {
    synchronized (this) {
      expired = state == State.WAITED_FOR;
    }
    cut();
  }

  /// Whether the call was cut because its time was over.
  synchronized boolean isExpired() {
    return expired;
  }

  /// From now on the time of the call counts.
  ///
  /// @param closing closes the connection, on any thread; that happens at once if nobody waits for
  ///   the answer any more
  void connected(Runnable closing) {
    if (isLateFor(closing)) {
      closing.run();
    }
  }

  private synchronized boolean isLateFor(Runnable closing) {
    hangUp = closing;
    if (state == State.WAITED_FOR && deadline == null) {
      deadline = lines.expire(this).orElse(null);
    }
    return state != State.WAITED_FOR;
  }

  /// Closes the connection, unless the answer is there.
  void cut() {
    var closing = end(State.CUT);
    if (closing != null) {
      closing.run();
    }
  }

  /// Keeps the connection for other calls: the answer is there, or there will be none.
  @Override
  public void close() {
    end(State.CLOSED);
    lines.forget(this);
    answered();
  }

  /// The answer is there, but not looked at yet.
  synchronized void answered() {
    if (deadline != null) {
      deadline.close();
    }
  }

  /// @return what is still to be done; null if nothing
  private synchronized @Nullable Runnable end(State how) {
    if (state != State.WAITED_FOR) {
      return null;
    }
    state = how;
    return hangUp;
  }
}
