package dev.superstep.client;

import dev.superstep.client.model.ClaimedTask;
import dev.superstep.client.model.TaskHeartbeat;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// What a handler may know of its task, besides the input.
public final class WorkerTask {
  private static final int PROGRESS_MAX = 16_384;

  final CountDownLatch cancelling = new CountDownLatch(1);
  private final ClaimedTask claimed;
  private final long lease;
  private volatile long leaseEnd;
  private volatile boolean made;
  private volatile boolean ended;
  private volatile Object progress;
  private volatile Future<?> beat;
  private Thread handler;

  WorkerTask(ClaimedTask claimed) {
    this.claimed = claimed;
    lease = TimeUnit.MILLISECONDS.toNanos(claimed.heartbeatMs());
    leaseEnd = System.nanoTime() + lease;
  }

  /// Everything that the service says of the task.
  public ClaimedTask claimed() {
    return claimed;
  }

  /// Equal for every attempt: what an effect is to be made once under.
  public String idempotencyKey() {
    return claimed.idempotencyKey();
  }

  /// Of the node, from 1.
  public int attempt() {
    return claimed.attempt();
  }

  /// Whether nothing of this task counts any more: the run was cancelled, the lease is lost, or the
  /// worker stops. The thread of the handler is interrupted, too.
  public boolean isCancelled() {
    return cancelling.getCount() == 0;
  }

  /// Goes along with heartbeats, up to 16 KB; the last one is kept.
  public void progress(Object value) {
    var json = Transport.JSON.writeValueAsBytes(value);
    if (json.length > PROGRESS_MAX) {
      throw new IllegalArgumentException("progress has more than " + PROGRESS_MAX + " bytes");
    }
    progress = Transport.JSON.readValue(json, Object.class);
  }

  /// The current thread is interrupted by [#cancel] until [#leave].
  synchronized void enter() {
    handler = Thread.currentThread();
  }

  /// What the handler has made of the flag is over.
  synchronized void leave() {
    handler = null;
    made = true;
    Thread.interrupted();
  }

  /// Whether only the outcome is left.
  boolean isMade() {
    return made;
  }

  synchronized void cancel() {
    cancelling.countDown();
    if (handler != null) {
      handler.interrupt();
    }
  }

  /// Heartbeats are over.
  void end() {
    ended = true;
    var last = beat;
    if (last != null) {
      last.cancel(false);
    }
  }

  /// Keeps the lease by heartbeats at a third of it. Once no run wants the task, or another worker
  /// has it, the task is cancelled.
  void keep(Superstep client, ScheduledExecutorService beats) {
    next(lease / 3, client.tasks(Duration.ofNanos(lease / 3)), beats);
  }

  /// Cancels the task if its lease is over, whatever became of its heartbeats.
  void expire() {
    if (System.nanoTime() - leaseEnd > 0) {
      lose("the lease is over");
    }
  }

  private void next(long pause, TasksOperations tasks, ScheduledExecutorService beats) {
    if (!ended && !isCancelled()) {
      beat = beats.schedule(() -> beat(tasks, beats), pause, TimeUnit.NANOSECONDS);
    }
  }

  private void beat(TasksOperations tasks, ScheduledExecutorService beats) {
    long begin = System.nanoTime();
    try {
      var body = TaskHeartbeat.of(claimed.token()).withProgress(progress);
      if (!tasks.heartbeat(claimed.id(), body).wanted()) {
        lose("no run wants it");
        return;
      }
      leaseEnd = begin + lease;
      next(lease / 3, tasks, beats);
    } catch (RuntimeException | Error e) {
      if (Worker.isWord(e) && (e instanceof ConflictException || e instanceof NotFoundException)) {
        lose(e.getMessage());
        return;
      }
      Worker.warn("No heartbeat of task " + claimed.id(), e);
      next(lease / 12, tasks, beats);
    }
  }

  private void lose(String why) {
    if (!made && !ended && !isCancelled()) {
      Worker.warn("Task " + claimed.id() + " is cancelled", why);
      cancel();
    }
  }
}
