package dev.superstep.compute;

import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Hidden;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// A call that computes until a test ends it.
@Hidden
@RestController
class ComputeProbe {
  private static final long PATIENCE_S = 60;

  /// What happened to the work of calls: `begun <name>`, `ended <name>`.
  final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();

  private final ComputePool pool;
  volatile CountDownLatch end = new CountDownLatch(1);

  ComputeProbe(ComputePool pool) {
    this.pool = pool;
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
