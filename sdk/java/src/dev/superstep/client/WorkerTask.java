package dev.superstep.client;

import dev.superstep.client.model.ClaimedTask;
import dev.superstep.client.model.TaskHeartbeat;
import dev.superstep.client.model.TaskSteps;
import dev.superstep.client.model.TaskStepsRequest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// What a handler may know of its task, besides the input.
public final class WorkerTask {
  private static final int PROGRESS_MAX = 16_384;

  final CountDownLatch cancelling = new CountDownLatch(1);
  final CountDownLatch done = new CountDownLatch(1);
  private final ClaimedTask claimed;
  private final Steps steps;
  private final long lease;
  private volatile long over;
  private volatile boolean made;
  private volatile Object progress;
  private Thread handler;

  WorkerTask(ClaimedTask claimed, Steps.Recorder recorder) {
    this.claimed = claimed;
    lease = TimeUnit.MILLISECONDS.toNanos(claimed.heartbeatMs());
    over = System.nanoTime() + lease;
    steps =
        new Steps(
            claimed,
            new Steps.Posting() {
              @Override
              public TaskSteps post(TaskStepsRequest body) throws InterruptedException {
                return recorder.record(WorkerTask.this, body);
              }

              @Override
              public void hold() throws InterruptedException {
                expire();
                if (isCancelled()) {
                  throw new InterruptedException("nothing of the task counts any more");
                }
              }

              @Override
              public void giveBack() throws InterruptedException {
                cancel();
                hold();
              }
            });
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

  /// Whether nothing of this task counts any more: the run was cancelled, the lease is lost, a
  /// step has given it back, or the worker stops. The thread of the handler is interrupted, too.
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

  /// Cancels the task if its lease is over, whatever became of its heartbeats.
  void expire() {
    if (lease > 0 && System.nanoTime() - over >= 0) {
      lose("the lease is over");
    }
  }

  /// Keeps the lease by heartbeats at a third of it, until the task is done. Once no run wants the
  /// task, or another worker has it, the task is cancelled.
  void keep(Superstep client) {
    long pause = lease / 3;
    var calls = client.tasks(Duration.ofNanos(Math.max(1, lease / 3)));
    while (!isDoneIn(pause - ThreadLocalRandom.current().nextLong(pause / 8 + 1))) {
      long begin = System.nanoTime();
      pause = lease / 12;
      try {
        var body = TaskHeartbeat.of(claimed.token()).withProgress(progress);
        if (!calls.heartbeat(claimed.id(), body).wanted()) {
          lose("no run wants it");
        }
        over = begin + lease;
        pause = lease / 3;
      } catch (RuntimeException | Error e) {
        if (ApiException.isLost(e)) {
          lose(e.getMessage());
        } else {
          Worker.warn("No heartbeat of task " + claimed.id(), e);
        }
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
