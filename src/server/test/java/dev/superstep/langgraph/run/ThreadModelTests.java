package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.langgraph.run.ThreadModel.Calls;
import dev.superstep.run.RunActions;
import dev.superstep.run.RunTestParts;
import dev.superstep.run.ThreadService;
import dev.superstep.run.start.Reconciler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/// The state of a thread is the fold of the calls that were accepted, in order, whatever they find:
/// random calls of both APIs with all strategies, deaths of drivers, and copies. No accepted input
/// is lost, no node runs twice, no breakpoint is passed (C33, E38, E40).
///
/// `-Dthreads.seeds=10000` runs more seeds, `-Dthreads.seed=17` one.
@SpringBootTest(
    properties = {"superstep.lease=3s", "superstep.poll=50ms", "superstep.news-poll=100ms"})
@Import({TestDatabase.class, RunTestParts.class})
class ThreadModelTests {
  private static final int SEEDS = Integer.getInteger("threads.seeds", 30);
  private static final int AT_ONCE = 8;

  @Autowired private RunActions on;
  @Autowired private ThreadService threads;
  @Autowired private RunRequests requests;
  @Autowired private RunLauncher launcher;
  @Autowired private RunCallRows rows;
  @Autowired private Reconciler reconciler;

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void foldsTheAcceptedCallsOfEachSeed() throws Exception {
    var parts = new Calls(on, threads, requests, launcher, rows, reconciler);
    var broken = new ConcurrentLinkedQueue<String>();
    var one = Long.getLong("threads.seed");
    var seeds = new ArrayList<Long>();
    if (one != null) {
      seeds.add(one);
    } else {
      long first = ThreadLocalRandom.current().nextLong(1_000_000_000);
      for (int i = 0; i < SEEDS; i++) {
        seeds.add(first + i);
      }
    }
    try (var executor = Executors.newFixedThreadPool(AT_ONCE)) {
      var all = new ArrayList<Callable<Boolean>>();
      for (var seed : seeds) {
        all.add(() -> {
          try {
            new ThreadModel(parts, seed).play();
          } catch (Throwable e) {
            broken.add("seed %d: %s".formatted(seed, e));
            e.printStackTrace();
          }
          return true;
        });
      }
      executor.invokeAll(all);
    }
    assertThat(List.copyOf(broken)).isEmpty();
  }
}
