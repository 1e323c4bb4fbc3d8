package dev.superstep.client;

import dev.superstep.client.model.ClaimedTask;
import dev.superstep.client.model.TaskHeartbeat;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// What a handler may know of its task, besides the input.
public final class WorkerTask {
  private static final int PROGRESS_MAX = 16_384;

  final CountDownLatch cancelling = new CountDownLatch(1);
  final CountDownLatch done = new CountDownLatch(1);
  private final ClaimedTask claimed;
  private final Steps steps;
  private volatile boolean made;
  private volatile Object progress;
  private Thread handler;

  WorkerTask(ClaimedTask claimed, Steps.Recorder recorder) {
    this.claimed = claimed;
    steps = new Steps(claimed, body -> recorder.record(this, body));
  }

  /// Everything that the service says of the task.
  public ClaimedTask claimed() {
    return claimed;
  }

  /// What is done once, whoever repeats the task.
  public Steps steps() {
    return steps;
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

  /// Keeps the lease by heartbeats at a third of it, until the task is done. Once it is over, no run
  /// wants the task, or another worker has it, the task is cancelled.
  void keep(Superstep client) {
    long lease = TimeUnit.MILLISECONDS.toNanos(claimed.heartbeatMs());
    long over = System.nanoTime() + lease;
    long pause = lease / 3;
    var why = "the lease is over";
    while (!isDoneIn(Math.min(pause, over - System.nanoTime()))) {
      long begin = System.nanoTime();
      if (begin - over >= 0) {
        lose(why);
        return;
      }
      pause = lease / 12;
      try {
        var body = TaskHeartbeat.of(claimed.token()).withProgress(progress);
        var patience = Duration.ofNanos(Math.min(lease / 3, over - begin));
        boolean wanted = client.tasks(patience).heartbeat(claimed.id(), body).wanted();
        pause = lease / 3;
        over = wanted ? begin + lease : begin;
        why = wanted ? why : "no run wants it";
      } catch (RuntimeException | Error e) {
        Worker.warn("No heartbeat of task " + claimed.id(), e);
        over = ApiException.isLost(e) ? begin : over;
      }
    }
  }

  private boolean isDoneIn(long nanos) {
    try {
      return done.await(nanos, TimeUnit.NANOSECONDS) || isCancelled();
    } catch (InterruptedException e) {
      return true; // Nobody interrupts this thread.
    }
  }

  void lose(String why) {
    if (!made && !isCancelled()) {
      Worker.warn("Task " + claimed.id() + " is cancelled", why);
      cancel();
    }
  }
}
