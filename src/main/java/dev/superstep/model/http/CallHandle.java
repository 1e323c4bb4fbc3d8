package dev.superstep.model.http;

import dev.superstep.engine.pool.Deadline;
import org.jspecify.annotations.Nullable;

/// Handle of one call, which closes its connection when the caller stops waiting. The clients close
/// that of a streamed answer only when the next piece arrives, if at all.
public final class CallHandle implements AutoCloseable {
  private final String id;
  private final CallRegistry callRegistry;
  private State state = State.WAITED_FOR;
  private @Nullable Runnable hangUp;
  private @Nullable Deadline deadline;
  private boolean expired;

  private enum State {
    WAITED_FOR,
    ABORTED,
    CLOSED
  }

  CallHandle(String id, CallRegistry callRegistry) {
    this.id = id;
    this.callRegistry = callRegistry;
  }

  public String id() {
    return id;
  }

  /// The time of the call, from its request to the end of its answer, is over.
  void expire() {
    synchronized (this) {
      expired = state == State.WAITED_FOR;
    }
    abort();
  }

  /// Whether the call was aborted because its time was over.
  public synchronized boolean isExpired() {
    return expired;
  }

  /// From now on the time of the call counts.
  ///
  /// @param closing closes the connection, on any thread; that happens at once if no caller waits
  ///   for the answer any more
  void connected(Runnable closing) {
    if (isLateFor(closing)) {
      closing.run();
    }
  }

  private synchronized boolean isLateFor(Runnable closing) {
    hangUp = closing;
    if (state == State.WAITED_FOR && deadline == null) {
      deadline = callRegistry.expire(this).orElse(null);
    }
    return state != State.WAITED_FOR;
  }

  /// Closes the connection, unless the answer is there.
  public void abort() {
    var closing = end(State.ABORTED);
    if (closing != null) {
      closing.run();
    }
  }

  /// Keeps the connection for other calls: the answer is there, or there will be none.
  @Override
  public void close() {
    end(State.CLOSED);
    callRegistry.remove(this);
    answered();
  }

  /// The answer has arrived, but is not processed yet.
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
