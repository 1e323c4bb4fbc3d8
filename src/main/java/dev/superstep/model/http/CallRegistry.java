package dev.superstep.model.http;

import dev.superstep.engine.pool.Deadline;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Registry of a model's calls in flight, by a number that travels with the request to
/// [ModelHttpTransport]: nothing else survives a client that hands the request from thread to
/// thread.
public final class CallRegistry {
  public static final String HEADER = "X-Superstep-Line";

  private final AtomicLong count = new AtomicLong();
  private final Map<String, CallHandle> open = new ConcurrentHashMap<>();
  private final Optional<Duration> timeout;

  /// @param timeout of a call from its request to the end of its answer; empty if its client sees
  ///   to it
  public CallRegistry(Optional<Duration> timeout) {
    this.timeout = timeout;
  }

  public CallHandle open() {
    var callHandle = new CallHandle(String.valueOf(count.incrementAndGet()), this);
    open.put(callHandle.id(), callHandle);
    return callHandle;
  }

  /// Has a call end that is not over in time.
  Optional<Deadline> expire(CallHandle callHandle) {
    return timeout.map(it -> Deadline.in(it, callHandle::expire));
  }

  /// Empty if that call has been abandoned.
  Optional<CallHandle> find(String id) {
    return Optional.ofNullable(open.get(id));
  }

  void remove(CallHandle callHandle) {
    open.remove(callHandle.id());
  }
}
