package dev.superstep.client;

import dev.superstep.client.model.ClaimedTask;
import dev.superstep.client.model.TaskOutcome;
import dev.superstep.client.model.TaskRelease;
import dev.superstep.client.model.TaskSteps;
import dev.superstep.client.model.TaskStepsRequest;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// Executes the tasks of `worker` nodes, each in a thread of its own. It claims no more than it has
/// places for. A worker is started once.
public final class Worker implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.superstep.client");
  private static final String TYPE = "[A-Za-z0-9][A-Za-z0-9._-]{0,127}";
  private static final int CLAIM_MAX = 20;
  private static final int TYPES_MAX = 20;
  private static final long AGAIN_NANOS = 50_000_000;
  private static final long WATCH_NANOS = 100_000_000;
  static final String INVALID_RESULT = "invalid_result";

  /// Of one claim, which a stop waits for: what an answer hands out must not be lost.
  private static final String WAIT = "5s";

  private static final Duration CLAIM_TIMEOUT = Duration.ofSeconds(20);

  private static final Duration GRACE = Duration.ofSeconds(20);

  /// What a stop has for giving tasks back, and then gives to their handlers.
  private static final Duration CLEAN_UP = Duration.ofSeconds(2);

  private final Map<String, Handler<Object, ?>> handlers = new ConcurrentHashMap<>();
  private final Set<WorkerTask> inHand = ConcurrentHashMap.newKeySet();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final int concurrency;
  private final Semaphore places;
  private final ThreadFactory threads;
  private volatile Superstep client;
  private volatile boolean stopped;
  private volatile RuntimeException failure;

  /// Executes a task. What it returns is the result, null being an empty object; any exception but
  /// [TaskFailedException] is a failure `node_failed` that may be tried again.
  public interface Handler<I, O> {
    O handle(I input, WorkerTask task) throws Exception;
  }

  /// @param concurrency tasks at a time
  public Worker(int concurrency) {
    this(concurrency, Worker::daemon);
  }

  /// @param threads what handlers run in; of a JDK that has them, `Thread.ofVirtual().factory()`
  public Worker(int concurrency, ThreadFactory threads) {
    if (concurrency < 1) {
      throw new IllegalArgumentException("concurrency must be at least 1");
    }
    this.concurrency = concurrency;
    this.threads = threads;
    places = new Semaphore(concurrency);
  }

  /// Registers the handler of a type of tasks. Input and result are read and written as all bodies
  /// of this client are: `customerId` is `customer_id`.
  @SuppressWarnings("unchecked")
  public <I, O> Worker handle(String type, Class<I> input, Handler<I, O> handler) {
    return register(type, (json, task) -> handler.handle((I) Transport.typed(json, input), task));
  }

  Worker register(String type, Handler<Object, ?> handler) {
    if (!type.matches(TYPE)) {
      throw new IllegalArgumentException("'" + type + "' cannot name a type of tasks");
    }
    if (handlers.size() >= TYPES_MAX || handlers.putIfAbsent(type, handler) != null) {
      throw new IllegalArgumentException(
          "%s has a handler, or %d other types have".formatted(type, TYPES_MAX));
    }
    return this;
  }

  /// What the handler makes of an input, without a service. Its result is as JSON is: maps, lists,
  /// texts.
  public TaskOutcome test(String type, Object input) {
    var json = Transport.JSON.convertValue(input, Object.class);
    var task = Map.of("id", "t", "token", "t", "idempotency_key", "t", "attempt", 1, "type", type);
    var claimed = Transport.JSON.convertValue(task, ClaimedTask.class);
    return outcome(new WorkerTask(claimed, Steps::echo), json);
  }

  /// Works until the JVM is told to end, which waits for the tasks in hand, or until [#stop].
  /// Throws what the service has against its claims.
  public void run(Superstep client) throws InterruptedException {
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    start(client);
    stopping.await();
    if (failure != null) {
      close();
      throw failure;
    }
    ended.await();
  }

  /// Works in threads of its own, once, until [#stop]; they keep the JVM up. If the service refuses
  /// its claims, the worker ends, and its log says so.
  public synchronized Worker start(Superstep client) {
    if (this.client != null || stopping.getCount() == 0 || handlers.isEmpty()) {
      throw new IllegalStateException("a worker is started once, and has handlers");
    }
    this.client = client;
    new Thread(this::claim, "superstep-claims").start();
    daemon(this::watch).start();
    return this;
  }

  private void watch() {
    while (!stopped) {
      inHand.forEach(WorkerTask::expire);
      LockSupport.parkNanos(WATCH_NANOS);
    }
  }

  private static Thread daemon(Runnable work) {
    var thread = new Thread(work, "superstep-worker");
    thread.setDaemon(true);
    return thread;
  }

  /// [#stop], with a grace of 20 seconds.
  @Override
  public void close() {
    stop(GRACE);
  }

  /// Claims nothing more, and waits for what is in hand. What is not done within the grace, or when
  /// the thread is interrupted, is cancelled and given back.
  public void stop(Duration grace) {
    stopping.countDown();
    try {
      if (!areFree(grace)) {
        giveBackRest();
        areFree(CLEAN_UP);
      }
    } catch (InterruptedException e) {
      giveBackRest();
      Thread.currentThread().interrupt();
    } finally {
      stopped = true;
      ended.countDown();
    }
  }

  boolean isWorking() {
    return stopping.getCount() > 0;
  }

  private boolean areFree(Duration atMost) throws InterruptedException {
    if (!places.tryAcquire(concurrency, atMost.toNanos(), TimeUnit.NANOSECONDS)) {
      return false;
    }
    places.release(concurrency);
    return true;
  }

  private void giveBackRest() {
    stopped = true;
    giveBack(inHand.stream().filter(it -> !it.isMade()).toList());
  }

  private void claim() {
    var options = TasksOperations.ClaimOptions.of(List.copyOf(handlers.keySet())).withWait(WAIT);
    var calls = client.tasks(CLAIM_TIMEOUT);
    int failures = 0;
    while (true) {
      places.acquireUninterruptibly();
      int free = 1;
      while (free < CLAIM_MAX && places.tryAcquire()) {
        free++;
      }
      if (stopping.getCount() == 0) {
        places.release(free);
        return;
      }
      try {
        for (var claimed : calls.claim(options.withMax(free)).items()) {
          free -= begin(new WorkerTask(claimed, this::step));
        }
        failures = 0;
      } catch (RuntimeException | Error e) {
        if (ApiException.isWord(e)) {
          LOG.log(Level.ERROR, "The worker ends, since its claims are refused: " + e.getMessage());
          failure = (RuntimeException) e;
          stopping.countDown();
        } else {
          warn("No tasks can be claimed, which is tried again", e);
          pause(stopping, failures++, e);
        }
      }
      places.release(free);
    }
  }

  /// @return how many places it takes: none if a stop has not waited for it, or there is no thread
  private int begin(WorkerTask task) {
    inHand.add(task);
    try {
      if (!stopped) {
        threads.newThread(() -> execute(task)).start();
        return 1;
      }
    } catch (RuntimeException | Error e) {
      warn("Task " + task.claimed().id() + " cannot be begun", e);
    }
    inHand.remove(task);
    giveBack(List.of(task));
    return 0;
  }

  private void execute(WorkerTask task) {
    try {
      threads.newThread(() -> task.keep(client)).start();
      end(task, outcome(task, task.claimed().input()));
    } catch (RuntimeException | Error e) {
      warn("Task " + task.claimed().id() + " is left to its lease", e);
    } finally {
      task.done.countDown();
      inHand.remove(task);
      places.release();
    }
  }

  private TaskOutcome outcome(WorkerTask task, Object input) {
    var outcome = TaskOutcome.of(task.claimed().token());
    try {
      var result = handle(task, input);
      return outcome.withResult(Transport.plain(task.steps().compared(result == null ? Map.of() : result)));
    } catch (Throwable e) {
      if (!(e instanceof TaskFailedException || task.isCancelled())) {
        LOG.log(Level.WARNING, "Task " + task.claimed().id() + " has failed", e);
      }
      return outcome.withError(task.steps().failure(e));
    }
  }

  /// A future is waited for.
  private Object handle(WorkerTask task, Object input) throws Exception {
    task.enter();
    try {
      if (task.isCancelled()) {
        return null;
      }
      var result = handlers.get(task.claimed().type()).handle(input, task);
      return result instanceof Future<?> future ? future.get() : result;
    } finally {
      task.leave();
    }
  }

  private void end(WorkerTask task, TaskOutcome outcome) {
    try {
      deliver(task, "The outcome", () -> {
        client.tasks().end(task.claimed().id(), outcome);
        return null;
      });
    } catch (InvalidRequestException e) {
      if (outcome.error() == null || !outcome.error().code().equals(INVALID_RESULT)) {
        var failed = new TaskFailedException(INVALID_RESULT, e.getMessage()).failure();
        end(task, TaskOutcome.of(outcome.token()).withError(failed));
      }
    } catch (ApiException | InterruptedException e) {
      // It is refused, or nothing of the task counts any more.
    }
  }

  private TaskSteps step(WorkerTask task, TaskStepsRequest body) throws InterruptedException {
    boolean interrupted = Thread.interrupted(); // by its call, or by the end of the task
    try {
      return deliver(task, "A step", () -> client.tasks().step(task.claimed().id(), body));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Calls until the service has taken or refused it, or nothing of the task counts any more.
  private static <T> T deliver(WorkerTask task, String what, Supplier<T> call)
      throws InterruptedException {
    for (int failures = 0; !task.isCancelled(); failures++) {
      try {
        return call.get();
      } catch (SuperstepException e) {
        Thread.interrupted();
        if (!task.isCancelled()) {
          warn(what + " of task " + task.claimed().id() + " is not taken", e);
        }
        if (ApiException.isLost(e)) {
          task.lose(e.getMessage());
          break;
        }
        if (ApiException.isWord(e)) {
          throw e;
        }
        pause(task.cancelling, failures, e);
      }
    }
    throw new InterruptedException("nothing of the task counts any more");
  }

  /// Each once, and again behind a failure, as long as a stop has time for it.
  private void giveBack(List<WorkerTask> tasks) {
    tasks.forEach(WorkerTask::cancel);
    var calls = client == null ? null : client.tasks(CLEAN_UP);
    long end = System.nanoTime() + CLEAN_UP.toNanos();
    var left = new ArrayDeque<>(tasks);
    while (!left.isEmpty()) {
      var task = left.poll();
      try {
        calls.release(task.claimed().id(), TaskRelease.of(task.claimed().token()));
      } catch (RuntimeException e) {
        if (ApiException.isWord(e) || System.nanoTime() - end > 0) {
          warn("Task " + task.claimed().id() + " is not given back", e);
        } else {
          left.add(task);
          LockSupport.parkNanos(AGAIN_NANOS);
        }
      }
    }
  }

  /// Grows up to ten seconds; a share is left to chance, so that workers do not come all at once.
  private static void pause(CountDownLatch end, int failures, Throwable failure) {
    long grown = Math.min(500L << Math.min(failures, 10), 10_000);
    long pause = grown - ThreadLocalRandom.current().nextLong(grown / 2 + 1);
    if (failure instanceof ApiException refusal) {
      long asked = refusal.retryAfter().orElse(Duration.ZERO).toMillis();
      pause += Math.max(0, Math.min(asked, 60_000));
    }
    try {
      end.await(pause, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // The next round looks at what has become of the task.
    }
  }

  static void warn(String what, Object why) {
    LOG.log(Level.WARNING, what + ": " + why);
  }
}
