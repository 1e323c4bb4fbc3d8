package dev.superstep.compute;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/// Parses, compiles, checks and evaluates the contents of requests, on a bounded number of platform
/// threads: the operating system shares the processors between them and everything else, whereas a
/// virtual thread that computes does not yield its carrier.
///
/// Work that must end early is interrupted; it must check for that itself.
@Component
public final class ComputePool implements DisposableBean {
  private static final ScopedValue<Boolean> INSIDE = ScopedValue.newInstance();

  /// How often a computing request checks its client's connection: one read that does not wait.
  private static final long LOOK_MS = 250;

  /// How many times as long as it computes work may last, with all that it waits for.
  private static final int RUNS_MAX = 4;

  private final ThreadPoolExecutor requests;
  private final ThreadPoolExecutor runs;
  private final Semaphore room;
  private final ComputeSettings settings;

  ComputePool(ComputeSettings settings) {
    this.settings = settings;
    requests = pool(settings, "compute-requests-");
    runs = pool(settings, "compute-runs-");
    room = new Semaphore(settings.threads() + settings.queueMax());
  }

  private static ThreadPoolExecutor pool(ComputeSettings settings, String name) {
    int threads = settings.threads();
    return new ThreadPoolExecutor(
        threads,
        threads,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        Thread.ofPlatform().daemon().name(name, 0).factory());
  }

  /// Does the work of a request and waits for it, for as long as its client does.
  ///
  /// @throws ServiceException `overloaded` when too many requests wait, or this one for too long;
  ///   `deadline_exceeded` when its own work takes too long; `bad_request` when the client has gone
  public <T> T call(Supplier<T> work) {
    if (INSIDE.isBound()) {
      return work.get();
    }
    if (!room.tryAcquire()) {
      throw new ServiceException(
          ErrorCode.OVERLOADED, "too many requests wait for a processor; try again");
    }
    var task = new Work<>(RequestWork.carried(work), room);
    requests.execute(task);
    return await(task);
  }

  private <T> T await(Work<T> work) {
    try {
      return get(work, Client.CURRENT.orElse(() -> false));
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException _) {
      end(work);
      Thread.currentThread().interrupt();
      throw new ServiceException(ErrorCode.OVERLOADED, "the service is stopping; try again");
    }
  }

  private <T> T get(Work<T> work, Client client) throws InterruptedException, ExecutionException {
    while (true) {
      try {
        return work.get(
            Math.min(LOOK_MS, settings.deadline().toMillis() / 4), TimeUnit.MILLISECONDS);
      } catch (TimeoutException _) {
        refuseLate(work);
        if (client.hasGone()) {
          end(work);
          throw new ServiceException(
              ErrorCode.BAD_REQUEST,
              "the client closed its connection while its request was computed;"
                  + " keep both halves of it open until the answer is there");
        }
      }
    }
  }

  /// The content of a request is at fault only if the request itself has used the time of a
  /// processor; waiting for a thread, or for the processor, is the server's own slowness.
  private void refuseLate(Work<?> work) {
    long deadline = settings.deadline().toNanos();
    if (work.used() >= deadline) {
      end(work);
      throw new ServiceException(
          ErrorCode.DEADLINE_EXCEEDED,
          "what this request brings takes longer than the %d ms that superstep.compute.deadline allows;"
                  .formatted(settings.deadline().toMillis())
              + " send less at a time");
    }
    if (work.lasted() >= (work.hasBegun() ? RUNS_MAX * deadline : deadline)) {
      end(work);
      throw new ServiceException(
          ErrorCode.OVERLOADED,
          "the server is too busy to compute what this request brings; try again");
    }
  }

  /// Work that has not begun releases its room at once; running work, when it notices.
  private void end(Work<?> work) {
    work.cancel(true);
    if (requests.remove(work)) {
      room.release();
    }
  }

  /// As [#call], unless the work is too small to be worth a change of threads.
  ///
  /// @param bytes the size of the request's content
  public <T> T call(long bytes, Supplier<T> work) {
    return bytes <= settings.inlineMax() ? work.get() : call(work);
  }

  /// Does work that a run needs, however long other work takes: it is not refused.
  public <T> T run(Supplier<T> work) {
    if (INSIDE.isBound()) {
      return work.get();
    }
    var task = new FutureTask<T>(() -> inside(work));
    runs.execute(task);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException _) {
          interrupted = true; // what is compiled is kept for all runs of a graph
        } catch (ExecutionException e) {
          throw failure(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static <T> T inside(Supplier<T> work) {
    return ScopedValue.where(INSIDE, true).call(work::get);
  }

  private static RuntimeException failure(ExecutionException e) {
    return switch (e.getCause()) {
      case RuntimeException failure -> failure;
      case Error error -> throw error;
      case null, default -> new IllegalStateException(e);
    };
  }

  @Override
  public void destroy() {
    requests.shutdownNow();
    runs.shutdownNow();
  }

  /// Holds its room until it ends, also when its request has ended before.
  private static final class Work<T> extends FutureTask<T> {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private final Semaphore room;
    private final long posted = System.nanoTime();
    private volatile @Nullable WorkStart begin;

    Work(Supplier<T> work, Semaphore room) {
      super(() -> inside(work));
      this.room = room;
    }

    /// @param used processor time of the thread before, in ns
    private record WorkStart(long thread, long used) {}

    boolean hasBegun() {
      return begin != null;
    }

    /// Processor time of its own, in ns. Clocks of processors may be wrong; no thread has used more
    /// time than has passed.
    long used() {
      var from = begin;
      return from == null
          ? 0
          : Math.min(lasted(), THREADS.getThreadCpuTime(from.thread()) - from.used());
    }

    /// Since it was posted, in ns.
    long lasted() {
      return System.nanoTime() - posted;
    }

    @Override
    public void run() {
      begin = new WorkStart(Thread.currentThread().threadId(), THREADS.getCurrentThreadCpuTime());
      try {
        super.run();
      } finally {
        room.release();
      }
    }
  }
}
