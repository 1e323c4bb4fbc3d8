package dev.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.SampleRun;
import dev.superstep.engine.StoreBackend.Numbered;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.port.CheckpointStore.Result;
import dev.superstep.engine.run.Durability;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// The commit path's `durability`: what a crash may lose, and that the result is the same. A crash
/// is a takeover while the old driver has told the store to write nothing more.
@StoreTest
class DurabilityTests {
  private static final int BEHIND_MAX = 50;
  @Autowired private PostgresBackend backend;

  private record Driven(SampleRun run, Lease lease) {}

  private Driven driven(Durability durability) {
    var run = SampleRun.of("run-" + UUID.randomUUID(), durability);
    backend.start(run.header, run.first());
    return new Driven(run, claim(run).lease());
  }

  /// Claims the run and opens it as its driver does.
  private LoadedRun claim(SampleRun run) {
    var image = backend.claim(run.id(), run.graph);
    backend
        .store()
        .open(
            new LoadedRun(
                run.header,
                image.lease(),
                image.checkpoint(),
                image.limits(),
                image.breakpoints(),
                image.head(),
                image.signals(),
                image.releasedThrough()));
    return image;
  }

  private Result commit(Driven driven, Commit commit) {
    return backend.store().commit(driven.lease(), commit);
  }

  private void steps(Driven driven, int from, int count) {
    for (int i = from; i < from + count; i++) {
      assertThat(commit(driven, driven.run().step("item " + i)))
          .isInstanceOf(Result.Committed.class);
    }
  }

  private Result finish(Driven driven) {
    var run = driven.run();
    return commit(driven, run.finish(run.done(run.task(SampleRun.A), "last")));
  }

  private int stored(SampleRun run) {
    return number("select checkpoint from run where id = ?", run);
  }

  private int rows(SampleRun run) {
    return number("select count(*) from checkpoint where run = ?", run);
  }

  private int number(String sql, SampleRun run) {
    return backend.jdbc().sql(sql).param(run.id()).query(Integer.class).single();
  }

  private String undisturbed(int steps) {
    var driven = driven(Durability.SYNC);
    steps(driven, 0, steps);
    finish(driven);
    return driven.run().last().stateHash();
  }

  private void assertComplete(SampleRun run, int events) {
    var image = backend.claim(run.id(), run.graph);
    assertThat(image.head().status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(image.checkpoint().stateHash()).isEqualTo(run.last().stateHash());
    assertThat(backend.events(run.id()).stream().map(Numbered::seq))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, events).boxed().toList());
  }

  /// With the run's row locked by another transaction, so that nothing of it is written.
  private void unwritten(SampleRun run, Consumer<String> work) {
    backend
        .transaction()
        .executeWithoutResult(_ -> {
          backend
              .jdbc()
              .sql("select id from run where id = ? for update")
              .param(run.id())
              .query(String.class)
              .single();
          work.accept(run.id());
        });
  }

  private void takeOver(String run) {
    backend
        .jdbc()
        .sql("update run set lease_epoch = lease_epoch + 1 where id = ?")
        .param(run)
        .update();
  }

  /// `async`, I3, I4, I5, I9: every superstep has its row in the end.
  @Test
  void writesEveryAsyncSuperstep() {
    var driven = driven(Durability.ASYNC);
    steps(driven, 0, 200);
    assertThat(finish(driven)).isInstanceOf(Result.Committed.class);

    assertThat(rows(driven.run())).isEqualTo(202);
    assertComplete(driven.run(), 201);
    for (int number = 0; number <= 201; number += 67) {
      assertThat(backend.checkpoint(driven.run().header, number, driven.run().graph).number())
          .isEqualTo(number);
    }
  }

  /// `async`: "at most N behind"; E47
  @Test
  void losesAtMostTheAsyncSuperstepsThatMayBeBehind() throws Exception {
    var driven = driven(Durability.ASYNC);
    steps(driven, 0, 10);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var reached = new HashSet<Integer>();
      unwritten(
          driven.run(),
          id -> {
            int before = stored(driven.run());
            int room = BEHIND_MAX - (driven.run().last().number() - before);
            steps(driven, 10, room);
            reached.add(driven.run().last().number() - before);
            var next = driven.run().step("too many");
            var blocked = threads.submit(() -> commit(driven, next));
            assertThatThrownBy(() -> blocked.get(200, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
            takeOver(id);
          });
      assertThat(reached).containsExactly(BEHIND_MAX);
      assertThatThrownBy(() -> finish(driven)).isInstanceOf(LeaseLostException.class);
    }

    var run = SampleRun.of(driven.run().id(), Durability.ASYNC);
    var image = claim(run);
    run.continueFrom(image);
    var next = new Driven(run, image.lease());
    steps(next, image.checkpoint().number(), 60 - image.checkpoint().number());
    finish(next);

    assertComplete(run, 61);
    assertThat(run.last().stateHash()).isEqualTo(undisturbed(60));
  }

  /// "Holds and interrupts are always sync"
  @Test
  void holdsAnAsyncRunBehindAllItsSupersteps() {
    var driven = driven(Durability.ASYNC);
    var run = driven.run();
    steps(driven, 0, 30);
    var asks = run.asks(run.task(SampleRun.A), run.id());

    assertThat(commit(driven, run.hold(RunStatus.INTERRUPTED, 0, asks)))
        .isInstanceOf(Result.Committed.class);

    assertThat(stored(run)).isEqualTo(31);
    assertThat(backend.interruptStatus(run.id(), run.id())).isEqualTo("open");
  }

  /// E10.3: an outcome of the open superstep is not taken for one of a superstep before.
  @Test
  void recordsOutcomesOfAnAsyncRunBehindItsSupersteps() {
    var driven = driven(Durability.ASYNC);
    var run = driven.run();
    steps(driven, 0, 30);
    var done = run.done(run.task(SampleRun.A), "recorded");

    backend.store().record(driven.lease(), List.of(done), List.of());

    assertThat(backend.claim(run.id(), run.graph).checkpoint().held()).containsValue(done);
  }

  @Test
  void cancelsAnAsyncRunBehindWhatItWasPromised() {
    var driven = driven(Durability.ASYNC);
    var run = driven.run();
    backend.cancel(run.id());

    Result result = new Result.AnswersPending();
    var before = run.last();
    for (int i = 0; i < 10_000 && !(result instanceof Result.CancelRequested); i++) {
      before = run.last();
      result = commit(driven, run.step("item"));
    }

    assertThat(result).isInstanceOf(Result.CancelRequested.class);
    assertThat(stored(run)).isEqualTo(before.number());
  }

  /// "`async` never shares a batch with `sync`"
  @Test
  void keepsAsyncAndSyncSuperstepsInTransactionsOfTheirOwn() throws Exception {
    var all = List.of(Durability.ASYNC, Durability.SYNC, Durability.ASYNC, Durability.SYNC);
    var runs = all.stream().map(this::driven).toList();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var driven =
          runs.stream()
              .map(it ->
                  threads.submit(() -> {
                    steps(it, 0, 40);
                    finish(it);
                  }))
              .toList();
      for (var each : driven) {
        each.get();
      }
    }

    var async = new HashSet<>(transactions(runs.get(0)));
    async.addAll(transactions(runs.get(2)));
    assertThat(async).doesNotContainAnyElementsOf(transactions(runs.get(1)));
    assertThat(async).doesNotContainAnyElementsOf(transactions(runs.get(3)));
  }

  private List<String> transactions(Driven driven) {
    return backend
        .jdbc()
        .sql("select xmin::text from checkpoint where run = ? and kind = 'step'")
        .param(driven.run().id())
        .query(String.class)
        .list()
        .stream()
        .map(String::valueOf)
        .toList();
  }

  /// `exit`: "input, holds and final only"; I5
  @Test
  void writesOnlyTheEndOfAnExitRun() {
    var driven = driven(Durability.EXIT);
    var run = driven.run();
    steps(driven, 0, 20);
    assertThat(rows(run)).isEqualTo(1);

    assertThat(finish(driven)).isInstanceOf(Result.Committed.class);

    assertThat(rows(run)).isEqualTo(2);
    assertComplete(run, 21);
  }

  /// `exit`: a crash loses what happened since the run was last at rest; the fence holds (E47).
  @Test
  void losesEverythingSinceAnExitRunWasLastAtRest() {
    var driven = driven(Durability.EXIT);
    steps(driven, 0, 20);

    var run = SampleRun.of(driven.run().id(), Durability.EXIT);
    var image = claim(run);
    assertThat(image.checkpoint().number()).isZero();
    assertThatThrownBy(() -> finish(driven)).isInstanceOf(LeaseLostException.class);
    var next = new Driven(run, image.lease());
    steps(next, 0, 60);
    finish(next);

    assertComplete(run, 61);
    assertThat(run.last().stateHash()).isEqualTo(undisturbed(60));
  }

  /// `exit`: a hold has everything before it with it, and the next driver goes on from there.
  @Test
  void holdsAnExitRunWithEverythingBefore() {
    var driven = driven(Durability.EXIT);
    var run = driven.run();
    steps(driven, 0, 20);
    var asks = run.asks(run.task(SampleRun.A), run.id());
    assertThat(commit(driven, run.hold(RunStatus.INTERRUPTED, 0, asks)))
        .isInstanceOf(Result.Committed.class);
    backend.store().close(driven.lease());

    var image = claim(run);
    assertThat(image.checkpoint().held()).containsValue(asks);
    assertThat(image.checkpoint().stateHash()).isEqualTo(run.last().stateHash());
    run.continueFrom(image);
    var next = new Driven(run, image.lease());
    steps(next, 20, 5);
    finish(next);
    assertComplete(run, 27);
  }

  /// `exit`: the next owner of the run continues where it was left.
  @Test
  void handsAnExitRunBackWithEverythingBefore() {
    var driven = driven(Durability.EXIT);
    var run = driven.run();
    steps(driven, 0, 20);
    var done = run.done(run.task(SampleRun.A), "recorded");
    backend.store().record(driven.lease(), List.of(done), List.of());

    commit(driven, run.onlyHead(run.head(RunStatus.QUEUED), "custom"));

    var image = backend.claim(run.id(), run.graph);
    assertThat(image.checkpoint().number()).isEqualTo(20);
    assertThat(image.checkpoint().held()).containsOnly(Map.entry(done.key(), done));
  }
}
