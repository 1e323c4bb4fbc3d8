package dev.superstep.compute;

import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Hidden;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// Calls that compute until a test ends them.
@Hidden
@RestController
class ComputeProbe {
  private static final long PATIENCE_S = 60;
  private static final long PIECE_STEPS = 100_000;
  private static final int SEVERAL = 100;

  /// What happened to the work of calls: `begun <name>`, `ended <name>`.
  final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();

  private final ComputePool pool;
  volatile CountDownLatch end = new CountDownLatch(1);

  ComputeProbe(ComputePool pool) {
    this.pool = pool;
  }

  /// Reads piece by piece, as what goes through a history does, on the thread of the request.
  @Requires({})
  @GetMapping("/v1/probe/reads/{name}")
  String read(@PathVariable String name) {
    events.add("begun " + name);
    var work = RequestWork.current();
    var piece = work.piece();
    try {
      for (int pieces = 0; end.getCount() > 0; pieces++) {
        if (pieces == SEVERAL) {
          events.add("goes on " + name);
        }
        work.accept(PIECE_STEPS);
        piece.next();
      }
      return "done " + name;
    } finally {
      events.add("ended " + name);
    }
  }

  @Requires({})
  @GetMapping("/v1/probe/compute/{name}")
  String compute(@PathVariable String name) {
    return pool.call(() -> {
      events.add("begun " + name);
      try {
        return end.await(PATIENCE_S, TimeUnit.SECONDS) ? "done " + name : "late";
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return "interrupted";
      } finally {
        events.add("ended " + name);
      }
    });
  }
}
