package dev.superstep.checkpoint.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.FaultyDataSource;
import dev.superstep.checkpoint.FaultyDataSource.Fault;
import dev.superstep.checkpoint.PostgresBackend;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.checkpoint.row.EncodedCheckpoint.ChainEnd;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.StoreBackend.Numbered;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.node.CheckpointStore.CommitResult;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;

/// Commit path, "group commit": runs share a statement, never a fate.
@StoreTest
class GroupCommitTests {
  private static final List<String> SAME =
      List.of("id", "run", "committed_at", "created_at", "digest");
  private static final int BREAKS_ONE_IN = 10;
  @Autowired private PostgresBackend backend;
  @Autowired private GroupCommit group;
  @Autowired private DataSource dataSource;
  private final Random random = new Random();

  /// A run, its lease, and its next commit.
  private record Driven(SampleRun run, Lease lease, Commit commit, PlainCommit plainCommit) {}

  @AfterEach
  void repair() {
    faults().breakOnce(Fault.NONE);
  }

  private FaultyDataSource faults() {
    return (FaultyDataSource) dataSource;
  }

  private Driven driven() {
    var run = SampleRun.of("run-" + UUID.randomUUID());
    backend.start(run.header, run.first());
    var lease = backend.claim(run.id(), run.graph).lease();
    var commit = run.step("item " + random.nextInt());
    return new Driven(run, lease, commit, plainCommit(lease, commit));
  }

  private static PlainCommit plainCommit(Lease lease, Commit commit) {
    return new PlainCommit(
        lease,
        List.of(commit),
        new ChainEnd(new ReplayCost(0, 100, 0), null),
        SnapshotPolicy.Outcomes.PERHAPS);
  }

  private int checkpoints(Driven driven) {
    return backend
        .jdbc()
        .sql("select checkpoint from run where id = ?")
        .param(driven.run().id())
        .query(Integer.class)
        .single();
  }

  /// Fence, I3, I4
  @Test
  void passesOverRunsThatTheFenceRefuses() {
    var fine = driven();
    var takenOver = driven();
    backend.claim(takenOver.run().id(), takenOver.run().graph);
    var toBeCancelled = driven();
    backend.cancel(toBeCancelled.run().id());
    var alsoFine = driven();

    group.write(
        List.of(
            takenOver.plainCommit(),
            fine.plainCommit(),
            toBeCancelled.plainCommit(),
            alsoFine.plainCommit()));

    assertThat(fine.plainCommit().writtenAt()).isPresent();
    assertThat(alsoFine.plainCommit().writtenAt()).isPresent();
    assertThat(takenOver.plainCommit().writtenAt()).isEmpty();
    assertThat(toBeCancelled.plainCommit().writtenAt()).isEmpty();
    assertThat(List.of(checkpoints(fine), checkpoints(alsoFine))).containsOnly(1);
    assertThat(List.of(checkpoints(takenOver), checkpoints(toBeCancelled))).containsOnly(0);
    assertThatThrownBy(() -> backend.store().commit(takenOver.lease(), takenOver.commit()))
        .isInstanceOf(LeaseLostException.class);
    assertThat(backend.store().commit(toBeCancelled.lease(), toBeCancelled.commit()))
        .isInstanceOf(CommitResult.CancelRequested.class);
  }

  /// "a statement error re-runs the members singly"
  @Test
  void letsNoRefusedValueFailItsNeighbours() {
    var fine = driven();
    var refused = driven();
    backend
        .jdbc()
        .sql(
            "insert into checkpoint select (jsonb_populate_record(c, '{\"number\": 1}')).*"
                + " from checkpoint c where run = ?")
        .param(refused.run().id())
        .update();

    group.write(List.of(refused.plainCommit(), fine.plainCommit()));

    assertThat(fine.plainCommit().writtenAt()).isEmpty();
    assertThat(backend.store().commit(fine.lease(), fine.commit()))
        .isInstanceOf(CommitResult.Committed.class);
    assertThatThrownBy(() -> backend.store().commit(refused.lease(), refused.commit()))
        .isInstanceOf(DataIntegrityViolationException.class);
  }

  /// "locks the runs' rows … SKIP LOCKED"; "a missing run is retried singly"
  @Test
  void waitsForNobodyElsesLock() throws Exception {
    var locked = driven();
    var free = driven();
    var holding = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var holder = threads.submit(() -> hold(locked.run().id(), holding, release));
      holding.await();

      group.write(List.of(locked.plainCommit(), free.plainCommit()));
      assertThat(free.plainCommit().writtenAt()).isPresent();
      assertThat(locked.plainCommit().writtenAt()).isEmpty();

      var waiting = threads.submit(() -> backend.store().commit(locked.lease(), locked.commit()));
      var others = IntStream.range(0, 5).mapToObj(_ -> driven()).toList();
      for (var other : others) {
        assertThat(backend.store().commit(other.lease(), other.commit()))
            .isInstanceOf(CommitResult.Committed.class);
      }
      assertThat(waiting.isDone()).isFalse();
      release.countDown();
      holder.get();
      assertThat(waiting.get(10, TimeUnit.SECONDS)).isInstanceOf(CommitResult.Committed.class);
    }
  }

  /// The fence and the numbers of events are those behind the transaction that it has waited for.
  @Test
  void seesWhatItHasWaitedFor() throws Exception {
    var driven = driven();
    var taken = driven();
    var holding = new CountDownLatch(2);
    var release = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var holders =
          List.of(
              threads.submit(() -> hold(() -> append(driven), holding, release)),
              threads.submit(() -> hold(() -> take(taken), holding, release)));
      holding.await();
      var waiting = threads.submit(() -> writeAlone(driven));
      var refused = threads.submit(() -> writeAlone(taken));
      awaitLocks(2);
      release.countDown();
      for (var holder : holders) {
        holder.get();
      }

      assertThat(waiting.get(10, TimeUnit.SECONDS)).isPresent();
      assertThat(refused.get(10, TimeUnit.SECONDS)).isEmpty();
    }
    assertThat(backend.events(driven.run().id()))
        .extracting(it -> it.event().type())
        .containsExactly("custom", "superstep.committed");
    assertThat(checkpoints(taken)).isZero();
  }

  private Optional<Instant> writeAlone(Driven driven) {
    return group.writeAlone(driven.plainCommit());
  }

  private void append(Driven driven) {
    backend.log().append(driven.run().id(), List.of(Event.of("custom", ObjectValue.empty())));
  }

  private void take(Driven driven) {
    backend
        .jdbc()
        .sql("update run set lease_epoch = lease_epoch + 1 where id = ?")
        .param(driven.run().id())
        .update();
  }

  private void awaitLocks(int sessions) {
    while (backend
            .jdbc()
            .sql(
                """
                select count(*) from pg_stat_activity
                 where datname = current_database() and wait_event_type = 'Lock'
                """)
            .query(Integer.class)
            .single()
        < sessions) {
      Thread.onSpinWait();
    }
  }

  private void hold(String run, CountDownLatch holding, CountDownLatch release) {
    hold(
        () ->
            backend
                .jdbc()
                .sql("select id from run where id = ? for update")
                .param(run)
                .query(String.class)
                .single(),
        holding,
        release);
  }

  private void hold(Runnable change, CountDownLatch holding, CountDownLatch release) {
    backend
        .transaction()
        .executeWithoutResult(_ -> {
          change.run();
          holding.countDown();
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /// "lost acknowledgement": each member finds out for itself; I3, I5
  @Test
  void findsEveryCommitOfABatchWhoseAcknowledgementWasLost() {
    var members = List.of(driven(), driven(), driven());
    faults().breakOnce(Fault.AFTER_STATEMENT);

    group.write(members.stream().map(Driven::plainCommit).toList());

    for (var member : members) {
      assertThat(member.plainCommit().writtenAt()).isEmpty();
      var result = backend.store().commit(member.lease(), member.commit());
      var image = backend.claim(member.run().id(), member.run().graph);
      assertThat(result).isEqualTo(new CommitResult.Committed(image.checkpoint().stamp().at()));
      assertThat(image.checkpoint().number()).isEqualTo(1);
      assertThat(backend.events(member.run().id())).hasSize(1);
    }
  }

  /// I5, I9, E46: the same bytes and hashes as alone, whatever the commits are.
  @Test
  void writesTheSameRowsAsOneByOne() {
    var seed = new Random().nextLong();
    LoggerFactory.getLogger(GroupCommitTests.class).info("seed {}", seed);
    random.setSeed(seed);
    var id = UUID.randomUUID();
    for (int round = 0; round < 20; round++) {
      var singly = SampleRun.of("alone-%d-%s".formatted(round, id));
      var shared = SampleRun.of("group-%d-%s".formatted(round, id));
      var single = claimed(singly);
      var member = claimed(shared);
      int steps = 1 + random.nextInt(4);
      for (int i = 0; i < steps; i++) {
        var item = "x".repeat(random.nextInt(3000));
        boolean last = i == steps - 1 && random.nextBoolean();
        var one = commit(singly, item, last);
        var other = commit(shared, item, last);
        group.writeAlone(plainCommit(single, one));
        var plainCommit = plainCommit(member, other);
        group.write(List.of(driven().plainCommit(), plainCommit, driven().plainCommit()));
        assertThat(plainCommit.writtenAt()).isPresent();
      }
      assertThat(rows("checkpoint", "run", shared.id()))
          .isEqualTo(rows("checkpoint", "run", singly.id()));
      assertThat(rows("run", "id", shared.id())).isEqualTo(rows("run", "id", singly.id()));
      assertThat(backend.claim(shared.id(), shared.graph).checkpoint().stateHash())
          .isEqualTo(shared.last().stateHash());
    }
  }

  private Lease claimed(SampleRun run) {
    backend.start(run.header, run.first());
    return backend.claim(run.id(), run.graph).lease();
  }

  private static Commit commit(SampleRun run, String item, boolean last) {
    var done = run.done(run.task(SampleRun.A), item);
    return last ? run.finish(done) : run.step(done);
  }

  /// It is of times, among others.
  private static final Pattern SEAL = Pattern.compile("\"seal\": -?\\d+");

  private List<Map<String, @Nullable Object>> rows(String table, String key, String run) {
    var rows =
        backend
            .jdbc()
            .sql(
                "select to_jsonb(t) - '{%s}'::text[] as row from %s t where %s = ? order by 1"
                    .formatted(String.join(",", SAME), table, key))
            .param(run)
            .query()
            .listOfRows();
    rows.forEach(it ->
        it.replaceAll((_, value) ->
            SEAL.matcher(
                    String.valueOf(value).replaceAll("\"finished_at\": \"[^\"]*\"", "finished"))
                .replaceAll("sealed")));
    return rows;
  }

  /// I1–I5 over many runs that share statements while connections break.
  @Test
  void keepsManyRunsWholeWhileConnectionsBreak() throws Exception {
    int runs = 24;
    int steps = 15;
    var results = new ArrayList<Future<SampleRun>>();
    var started = new ArrayList<Driven>();
    for (int i = 0; i < runs; i++) {
      started.add(driven());
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      started.forEach(it -> results.add(threads.submit(() -> driveThrough(it, steps))));
    }
    repair();
    for (var result : results) {
      var run = result.get();
      var image = backend.claim(run.id(), run.graph);
      assertThat(image.checkpoint().number()).isEqualTo(steps);
      assertThat(image.checkpoint().stateHash()).isEqualTo(run.last().stateHash());
      assertThat(image.head().status()).isEqualTo(RunStatus.RUNNING);
      assertThat(backend.events(run.id()).stream().map(Numbered::seq))
          .containsExactlyElementsOf(LongStream.rangeClosed(1, steps).boxed().toList());
    }
  }

  private SampleRun driveThrough(Driven driven, int steps) {
    var faults = List.of(Fault.BEFORE_STATEMENT, Fault.AFTER_STATEMENT);
    var run = driven.run();
    var commit = driven.commit();
    for (int i = 0; i < steps; i++) {
      if (random.nextInt(BREAKS_ONE_IN) == 0) {
        faults().breakOnce(faults.get(random.nextInt(faults.size())));
      }
      assertThat(backend.store().commit(driven.lease(), commit))
          .isInstanceOf(CommitResult.Committed.class);
      commit = i < steps - 1 ? run.step("item " + i) : commit;
    }
    return run;
  }
}
