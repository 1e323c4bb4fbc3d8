package dev.superstep.model.http;

import dev.superstep.engine.pool.Deadline;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// The calls of a model that are under way, by a number that goes with the request as far as
/// [ModelHttpTransport]: no other thing goes with it through a client that hands it from thread to
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

  /// Empty if nobody waits for that call any more.
  Optional<CallHandle> find(String id) {
    return Optional.ofNullable(open.get(id));
  }

  void remove(CallHandle callHandle) {
    open.remove(callHandle.id());
  }
}
