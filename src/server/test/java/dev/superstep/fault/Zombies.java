package dev.superstep.fault;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/// Replicas that are frozen past their lease in the middle of node calls, whose runs others take
/// over, and that go on with what they had in hand: the answer to the call is waiting for them when
/// they wake up. Every one of their writes must be refused.
record Zombies(String name, int rounds, int runs, Map<String, String> settings)
    implements Scenario {

  private static final Duration LATE = Duration.ofSeconds(1);

  @Override
  public Cluster.Options options(Path folder) {
    return Cluster.Options.of(2).lease(Duration.ofSeconds(2)).with(settings);
  }

  @Override
  public void play(Stage stage) throws Exception {
    var cluster = stage.cluster();
    var load = new Load(cluster, name);
    var faults = new Faults(stage);
    Verdict.after(
        stage,
        load,
        () -> {
          for (int round = 0; round < rounds; round++) {
            round(stage, load, faults);
          }
        });
    faults.measureTakeovers();
  }

  private void round(Stage stage, Load load, Faults faults) throws InterruptedException {
    var cluster = stage.cluster();
    var ledger = cluster.ledger();
    var first = new CountDownLatch(1);
    var second = new CountDownLatch(1);
    ledger.gate(arrival -> (arrival == 1 ? first : second).await(2, TimeUnit.MINUTES));
    int calls = ledger.calls();
    for (int i = 0; i < runs; i++) {
      load.start("loop");
    }
    await("that all runs call", () -> ledger.calls() - calls >= runs);
    var victim = cluster.replicas().get(stage.random().nextInt(cluster.replicas().size()));
    int zombies = cluster.ownedBy(victim).size();
    double before = victim.rejectedWrites();
    faults.freezeUntilRobbed(victim);
    await("that the new owners call", () -> ledger.calls() - calls >= runs + zombies);
    first.countDown(); // the answers to the frozen are on their way into its sockets
    await("that the first calls are answered", () -> ledger.open() == zombies);
    var proxy = cluster.proxies().get(cluster.replicas().indexOf(victim));
    proxy.delayScheduler(LATE); // so that it does not learn of its death before it writes
    victim.thaw();
    long end = System.nanoTime() + LATE.multipliedBy(3).toNanos();
    while (victim.rejectedWrites() - before < zombies && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    proxy.heal();
    await("that the frozen replica is a member again", victim::ready);
    stage.tally().figurePlus("trials", zombies);
    stage.tally().rejected(victim.rejectedWrites() - before);
    second.countDown();
    ledger.gate(_ -> TimeUnit.MILLISECONDS.sleep(10));
    load.finish(Duration.ofSeconds(60));
  }

  private static void await(String what, java.util.concurrent.Callable<Boolean> condition) {
    Awaitility.await(what)
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .until(condition);
  }
}
