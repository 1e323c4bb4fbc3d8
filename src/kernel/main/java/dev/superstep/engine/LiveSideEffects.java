package dev.superstep.engine;

import dev.superstep.engine.node.AttemptId;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.SideEffects;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/// The side effects of a running attempt. Its driver records them.
final class LiveSideEffects implements SideEffects {
  private final Inbox inbox;
  private final BirthId birthId;
  private final TaskKey task;
  private final int era;
  private final AttemptId attempt;
  private final long bytesMax;
  private final Map<String, Value> known;
  private final AtomicLong bytes;
  private ObjectValue kept;
  private final Set<CountDownLatch> waiting = ConcurrentHashMap.newKeySet();
  private final WaitedTime waitedTime;
  private volatile boolean closed;

  LiveSideEffects(
      SuperstepContext superstepContext,
      Task task,
      AttemptId attempt,
      ObjectValue known,
      WaitedTime waitedTime,
      DriverContext driver) {
    this.inbox = driver.inbox();
    this.birthId = superstepContext.run().birthId();
    this.waitedTime = waitedTime;
    this.task = task.key();
    this.era = superstepContext.at().stamp().era();
    this.attempt = attempt;
    this.bytesMax = driver.limits().resultBytesMax();
    this.known = new ConcurrentHashMap<>(known.asMap());
    this.bytes = new AtomicLong(Canonical.size(known));
    this.kept = RetryState.kept(known);
  }

  @Override
  public Optional<Value> find(String name) {
    return Optional.ofNullable(known.get(name));
  }

  @Override
  public void record(String name, Value value) throws InterruptedException {
    if (bytes.addAndGet(Canonical.size(value)) > bytesMax) {
      throw new TaskFailedException(
          TaskError.permanent(
              "result_too_large",
              "what the task keeps on its way exceeds %d bytes".formatted(bytesMax)));
    }
    var stored = new CountDownLatch(1);
    waiting.add(stored);
    try {
      inbox.put(
          new Inbox.Signal.SideEffect(attempt, name, value, () -> known(name, value, stored)));
      if (!closed) {
        await(stored);
      }
    } finally {
      waiting.remove(stored);
    }
    if (closed) {
      throw new InterruptedException("the attempt is not wanted any more");
    }
  }

  /// What there is no room for is not kept.
  @Override
  public synchronized void keep(String name, Value value) {
    if (bytes.addAndGet(Canonical.size(value)) <= bytesMax) {
      kept = kept.plus(name, value);
    }
  }

  @Override
  public synchronized Optional<Value> kept(String name) {
    return Optional.ofNullable(kept.get(name));
  }

  synchronized ObjectValue kept() {
    return kept;
  }

  private void await(CountDownLatch stored) throws InterruptedException {
    waitedTime.begin();
    try (var _ = WorkPermits.releaseForSibling()) {
      stored.await();
    } finally {
      waitedTime.end();
    }
  }

  @Override
  public Duration waited() {
    return waitedTime.soFar();
  }

  private void known(String name, Value value, CountDownLatch stored) {
    known.put(name, value);
    stored.countDown();
  }

  /// Stops recording for this attempt and releases waiting threads.
  void close() {
    closed = true;
    waiting.forEach(CountDownLatch::countDown);
  }

  @Override
  public String idempotencyKey(String name) {
    return birthId.part(task, name, era);
  }
}
