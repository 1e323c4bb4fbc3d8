package dev.superstep.checkpoint;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Accesses of attempts to the database. An attempt that is given up is interrupted, which would
/// close a connection while others share what is written on it: the access is a thread's of its
/// own, for which that one waits.
public final class Undisturbed {
  private Undisturbed() {}

  /// @param what for the name of the thread
  /// @throws StoreUnavailableException if this thread is interrupted meanwhile
  public static <T> T call(String what, Callable<T> access) {
    var task = new FutureTask<>(access);
    Thread.ofVirtual().name(what).start(task);
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException(
          "interrupted while its %s were read or written".formatted(what), e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    }
  }
}
