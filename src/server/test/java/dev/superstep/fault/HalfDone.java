package dev.superstep.fault;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/// The owner of a run is killed when the outcomes of about half of a superstep are recorded, while
/// others of its calls are under way. The next owner calls only the rest.
record HalfDone(String name, int rounds) implements Scenario {
  private static final int ANSWERED = Shapes.WIDTH / 2;

  @Override
  public void play(Stage stage) throws Exception {
    var load = new Load(stage.cluster(), name);
    Verdict.after(
        stage,
        load,
        () -> {
          for (int round = 0; round < rounds; round++) {
            round(stage, load);
          }
        });
  }

  private static void round(Stage stage, Load load) throws InterruptedException {
    var cluster = stage.cluster();
    var calls = new AtomicInteger();
    var killed = new CountDownLatch(1);
    cluster
        .ledger()
        .gate(_ -> {
          if (calls.incrementAndGet() > ANSWERED) {
            killed.await(1, TimeUnit.MINUTES);
          }
        });
    int before = cluster.outcomes().count();
    var run = load.start("wide");
    Awaitility.await("half of the outcomes")
        .atMost(1, TimeUnit.MINUTES)
        .until(() -> cluster.outcomes().count() - before == ANSWERED);
    var owner =
        cluster.replicas().stream()
            .filter(it -> cluster.ownedBy(it).contains(run))
            .findFirst()
            .orElseThrow();
    owner.kill();
    stage.tally().fault("sigkill");
    stage.tally().allowRepeats(cluster.unrecorded());
    killed.countDown();
    owner.start();
    owner.awaitReady();
    load.finish(Duration.ofMinutes(1));
  }
}
