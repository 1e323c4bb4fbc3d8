package dev.superstep.fault;

import dev.superstep.schedule.ScheduledRows;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/// What can go wrong with a cluster; each method leaves it whole again.
final class Faults {
  private static final Duration HANDOVER_MAX = Duration.ofSeconds(2);

  private final Cluster cluster;
  private final Tally tally;
  private final Random random;
  private final List<Robbed> robbed = new ArrayList<>();

  /// Runs whose owner died.
  private record Robbed(Instant at, List<String> runs) {}

  Faults(Stage stage) {
    cluster = stage.cluster();
    tally = stage.tally();
    random = stage.random();
  }

  private Replica victim() {
    return cluster.replicas().get(random.nextInt(cluster.replicas().size()));
  }

  /// One that drives runs; any, if none does for a while. Of another nothing could be taken.
  private Replica driving() {
    try {
      return Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .until(this::replicasThatDrive, it -> !it.isEmpty())
          .getFirst();
    } catch (ConditionTimeoutException _) {
      return victim();
    }
  }

  private List<Replica> replicasThatDrive() {
    var found =
        new ArrayList<>(
            cluster.replicas().stream().filter(it -> !cluster.ownedBy(it).isEmpty()).toList());
    Collections.shuffle(found, random);
    return found;
  }

  private FaultProxy proxy() {
    return cluster.proxies().get(random.nextInt(cluster.proxies().size()));
  }

  void kill() throws InterruptedException {
    var victim = victim();
    bury(victim);
    tally.fault("sigkill");
    victim.start();
    victim.awaitReady();
  }

  /// Kills several at once.
  void kill(int count) throws InterruptedException {
    var victims = new ArrayList<>(cluster.replicas());
    Collections.shuffle(victims, random);
    victims.subList(count, victims.size()).clear();
    for (var victim : victims) {
      bury(victim);
      tally.fault("sigkill");
    }
    victims.forEach(Replica::start);
    victims.forEach(Replica::awaitReady);
  }

  /// Kills it, and notes whose runs it had.
  private void bury(Replica victim) throws InterruptedException {
    var owner = victim.owner();
    victim.kill();
    var at = Instant.now();
    owner.ifPresent(it -> robbed.add(new Robbed(at, cluster.ownedBy(it))));
    noteOpenTasks();
  }

  void noteOpenTasks() {
    tally.allowRepeats(cluster.unrecorded());
  }

  void killAll() throws InterruptedException {
    for (var replica : cluster.replicas()) {
      bury(replica);
      tally.fault("sigkill");
    }
    cluster.replicas().forEach(Replica::start);
    cluster.replicas().forEach(Replica::awaitReady);
  }

  /// Freezes a replica until others have its runs, lets it go on for a moment, then kills it.
  void killLate() throws InterruptedException {
    var victim = driving();
    freezeUntilRobbed(victim);
    victim.thaw();
    TimeUnit.MILLISECONDS.sleep(300);
    tally.rejected(victim.rejectedWrites());
    bury(victim);
    tally.fault("sigkill");
    victim.start();
    victim.awaitReady();
  }

  /// SIGSTOP until nothing is its own any more.
  void freezeUntilRobbed(Replica victim) throws InterruptedException {
    var owner = victim.owner().orElseThrow();
    victim.freeze();
    tally.fault("sigstop");
    robbed.add(new Robbed(Instant.now(), cluster.ownedBy(owner)));
    noteOpenTasks();
    Awaitility.await("that all runs of the frozen replica are taken over")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> cluster.ownedBy(owner).isEmpty() && gone(owner));
  }

  private boolean gone(String owner) {
    return !new ScheduledRows(cluster.jdbc()).isReplica(owner);
  }

  void freeze() throws InterruptedException {
    var victim = driving();
    freezeUntilRobbed(victim);
    victim.thaw();
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(victim::ready);
    tally.rejected(victim.rejectedWrites());
  }

  void cut() throws InterruptedException {
    noteOpenTasks();
    for (int i = 0; i < 5; i++) {
      tally.fault("connections cut", proxy().cut());
      TimeUnit.MILLISECONDS.sleep(random.nextInt(200));
    }
    noteOpenTasks();
  }

  void refuse() throws InterruptedException {
    var proxy = proxy();
    var before = beginOutage();
    proxy.refuse();
    tally.fault("database refused");
    TimeUnit.MILLISECONDS.sleep(random.nextLong(2 * cluster.lease().toMillis()));
    endOutage(before);
    proxy.heal();
  }

  /// The ledger at the begin of an outage.
  private record BeforeOutage(int repeats, int keys) {}

  private BeforeOutage beginOutage() {
    noteOpenTasks();
    return new BeforeOutage(cluster.ledger().repeats(), cluster.ledger().keys());
  }

  /// What a replica has called while it was cut off may be called again by others, who have its
  /// runs then: some of it is recorded by now, and is not among the open tasks of either end.
  private void endOutage(BeforeOutage before) {
    noteOpenTasks();
    tally.allowRepeats(cluster.ledger().repeats() - before.repeats());
    tally.allowRepeats(cluster.ledger().keys() - before.keys());
  }

  /// The replica's bytes are held back, for a moment or past its lease, and then delivered.
  void blackHole() throws InterruptedException {
    var proxy = proxy();
    var before = beginOutage();
    proxy.blackHole();
    tally.fault("black hole");
    TimeUnit.MILLISECONDS.sleep(500 + random.nextLong(3 * cluster.lease().toMillis()));
    endOutage(before);
    if (random.nextBoolean()) {
      proxy.cut();
    }
    proxy.heal();
  }

  void delay() throws InterruptedException {
    for (var proxy : cluster.proxies()) {
      proxy.delay(Duration.ofMillis(1 + random.nextInt(40)));
    }
    noteOpenTasks();
    tally.fault("delay");
    TimeUnit.SECONDS.sleep(3);
    noteOpenTasks();
    cluster.proxies().forEach(FaultProxy::heal);
  }

  /// Statements commit, and nobody hears of it.
  void dropAcknowledgements() throws InterruptedException {
    var before = dropped();
    noteOpenTasks();
    for (var proxy : cluster.proxies()) {
      proxy.dropAcknowledgements(1 + random.nextInt(5));
    }
    TimeUnit.MILLISECONDS.sleep(1_500);
    noteOpenTasks();
    cluster.proxies().forEach(it -> it.dropAcknowledgements(0));
    tally.fault("acknowledgements dropped", dropped() - before);
  }

  private int dropped() {
    return cluster.proxies().stream().mapToInt(FaultProxy::dropped).sum();
  }

  void crashPostgres() throws Exception {
    noteOpenTasks();
    cluster.postgres().crash();
    tally.fault("postgres stopped at once");
    TimeUnit.MILLISECONDS.sleep(random.nextLong(2 * cluster.lease().toMillis()));
    cluster.postgres().restart();
    noteOpenTasks();
  }

  void terminateBackends() throws InterruptedException {
    noteOpenTasks();
    for (int i = 0; i < 20; i++) {
      long ended =
          cluster
              .jdbc()
              .sql(
                  """
                  select count(pg_terminate_backend(pid)) from pg_stat_activity
                   where datname = current_database() and pid <> pg_backend_pid()
                  """)
              .query(Long.class)
              .single();
      tally.fault("backends terminated", ended);
      TimeUnit.MILLISECONDS.sleep(random.nextInt(200));
    }
    noteOpenTasks();
  }

  /// SIGTERM to each replica in turn; a new process takes its place.
  void rollingRestart() throws Exception {
    for (var replica : cluster.replicas()) {
      try (var watch = new HandoverWatch(cluster.jdbc())) {
        replica.terminate();
        tally.fault("sigterm");
        replica.awaitEnd();
        TimeUnit.SECONDS.sleep(1);
        watch.stop();
        tally.figurePlus("handed_over", watch.handedOver());
        tally.figureMax("handover_ms_max", watch.longest().toMillis());
        if (watch.longest().compareTo(HANDOVER_MAX) > 0) {
          tally.violation("nobody took a run that was handed back for " + watch.longest());
        }
      }
      noteOpenTasks();
      replica.start();
      replica.awaitReady();
    }
  }

  /// SIGTERM; a new process of perhaps another release takes its place.
  void replace(Replica replica, List<String> command) {
    replica.terminate();
    tally.fault("sigterm");
    replica.awaitEnd();
    noteOpenTasks();
    replica.become(command);
    replica.start();
    replica.awaitReady();
  }

  /// For each run whose owner died or froze: the time until the database heard from the next one.
  void measureTakeovers() {
    for (var group : robbed) {
      cluster
          .jdbc()
          .sql(
              """
              select run, min(at) as at from run_event
               where run = any(?) and type = 'run.taken_over' and at > ?::timestamptz
               group by run
              """)
          .params(group.runs().toArray(String[]::new), group.at().toString())
          .query((row, _) -> Duration.between(group.at(), row.getTimestamp("at").toInstant()))
          .list()
          .forEach(tally::takeover);
    }
    robbed.clear();
  }
}
