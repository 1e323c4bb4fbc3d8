package dev.superstep.run.drive;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.RunActions.with;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.run.RunActions;
import dev.superstep.run.RunTest;
import dev.superstep.run.StartRun;
import dev.superstep.run.drive.RunClaims.Admits;
import dev.superstep.run.drive.RunClaims.Claim;
import dev.superstep.run.drive.RunClaims.Strike;
import dev.superstep.run.start.Reconciler;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.Replica;
import dev.superstep.schedule.ScheduledRows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@RunTest
class RunClaimsTests {
  @Autowired private RunActions on;
  @Autowired private RunClaims runClaims;
  @Autowired private RunFailer runFailer;
  @Autowired private Reconciler reconciler;
  @Autowired private CheckpointStore store;
  @Autowired private DatabaseClock clock;
  @Autowired private Replica replica;

  /// The replica of this process would claim what is queued again.
  @BeforeEach
  void claimNothing() {
    replica.pauseClaims();
  }

  @AfterEach
  void claimAgain() {
    replica.resumeClaims();
  }

  /// A queued run whose time has not come.
  private String queued() {
    var name = fresh("queued");
    on.graphs().add(graph(name).node("a", says("a")).edge("__start__", "a"));
    var at = Optional.of(clock.instant().plus(Duration.ofHours(1)));
    var options = new StartRun.Options(Limits.NONE, Breakpoints.NONE, 0, at);
    return on.runs().start(with(request(name), options)).run();
  }

  @Test
  void givesARunToOneOfManyClaimers() throws Exception {
    var run = queued();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<Callable<Optional<Claim>>>();
      for (int i = 0; i < 8; i++) {
        var replica = "replica-" + i;
        calls.add(() -> runClaims.claim(run, 1, replica, Admits.ALL));
      }
      var won = 0;
      for (var future : executor.invokeAll(calls)) {
        won += future.get().isPresent() ? 1 : 0;
      }
      assertThat(won).isEqualTo(1);
    }
    assertThat(on.events(run)).containsExactly("run.created", "run.started");
  }

  @Test
  void ignoresAWakeUpThatIsOutOfDate() {
    var run = queued();
    assertThat(runClaims.claim(run, 1, "one", Admits.ALL)).isPresent();
    runClaims.requeueOwnedBy("one");

    assertThat(runClaims.claim(run, 1, "two", Admits.ALL)).isEmpty();
    assertThat(runClaims.claim(run, 2, "two", Admits.ALL)).isPresent();
  }

  /// I3: a replica that was taken for dead cannot write, even before somebody else claims the run.
  @Test
  void fencesAReplicaOffWhenItsRunsAreQueuedAgain() {
    var run = queued();
    var claim = runClaims.claim(run, 1, "zombie", Admits.ALL).orElseThrow();
    runClaims.requeueOwnedBy("zombie");
    var runHead =
        new RunHead(
            RunStatus.RUNNING,
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            RunHead.Passed.NONE,
            Duration.ZERO);
    var commit = new Commit(0, Optional.empty(), runHead, List.of(), 0);

    assertThatThrownBy(() -> store.commit(claim.lease(), commit))
        .isInstanceOf(LeaseLostException.class);
    assertThat(on.status(run)).isEqualTo(RunStatus.QUEUED);
  }

  @Test
  void tellsThatARunWasTakenOver() {
    var run = queued();
    assertThat(runClaims.claim(run, 1, "one", Admits.ALL)).isPresent();
    runClaims.requeueOwnedBy("one");

    var claim = runClaims.claim(run, 2, "two", Admits.ALL).orElseThrow();

    assertThat(claim.takeovers()).isEqualTo(1);
    assertThat(on.events(run)).containsExactly("run.created", "run.started", "run.taken_over");
  }

  @Test
  void handsARunBackOnlyWhileItsLeaseHolds() {
    var run = queued();
    var claim = runClaims.claim(run, 1, "one", Admits.ALL).orElseThrow();
    runClaims.handBack(claim.lease(), Strike.DOES_NOT_COUNT, Duration.ofHours(1));
    runClaims.handBack(claim.lease(), Strike.DOES_NOT_COUNT, Duration.ofHours(1));

    assertThat(runClaims.claim(run, 2, "two", Admits.ALL).orElseThrow().takeovers()).isZero();
    runClaims.handBack(claim.lease(), Strike.COUNTS, Duration.ZERO);
    assertThat(on.status(run)).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void failsARunThatKillsItsOwners() {
    var run = queued();
    long wake = 1;
    Claim claim = runClaims.claim(run, wake, "r0", Admits.ALL).orElseThrow();
    for (int i = 0; i < 6; i++) {
      runClaims.requeueOwnedBy("r" + i);
      claim = runClaims.claim(run, ++wake, "r" + (i + 1), Admits.ALL).orElseThrow();
    }
    assertThat(claim.takeovers()).isEqualTo(6);

    runFailer.fail(claim.lease(), dev.superstep.engine.run.RunError.of("poison_run", "too often"));

    var view = on.await(run, RunStatus.FAILED);
    assertThat(view.summary().standing().error().orElseThrow().error().code())
        .isEqualTo("poison_run");
    on.runs().resume(RunActions.resume(run));
    replica.resumeClaims();
    on.await(run, RunStatus.SUCCEEDED);
  }

  /// I7: the wake-up of a queued run is lost.
  @Test
  void findsARunWhoseWakeUpWasLost() {
    var run = queued();
    new ScheduledRows(on.jdbc()).deleteWakeUps(run);
    on.jdbc().sql("update run set wakes_at = null where id = ?").param(run).update();

    reconciler.reconcile();
    replica.resumeClaims();

    on.await(run, RunStatus.SUCCEEDED);
  }

  /// I7: the wake-up of a queued run lies in the far future, and the run itself is due.
  @Test
  void movesAWakeUpThatDoesNotFitItsRun() {
    var run = queued();
    on.jdbc().sql("update run set wakes_at = now() where id = ?").param(run).update();

    reconciler.reconcile();
    replica.resumeClaims();

    on.await(run, RunStatus.SUCCEEDED);
  }

  /// I7: the owner is gone and nobody has noticed.
  @Test
  void findsARunWhoseOwnerIsNoReplica() {
    var run = queued();
    assertThat(runClaims.claim(run, 1, "nobody", Admits.ALL)).isPresent();

    reconciler.reconcile();
    replica.resumeClaims();

    on.await(run, RunStatus.SUCCEEDED);
  }
}
