package dev.superstep.checkpoint.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.CorruptCheckpointException;
import dev.superstep.checkpoint.PostgresBackend;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.context.PromptContext;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.checkpoint.TaskRecord.Why;
import dev.superstep.engine.node.CheckpointStore.CommitResult;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// What was written superstep by superstep comes back as it was (E44, E45).
@StoreTest
class CheckpointReplayTests {
  private static final long SEED = 20260102;
  @Autowired private PostgresBackend backend;
  @Autowired private EventLog log;

  private Lease start(SampleRun run) {
    backend.start(run.header, run.first());
    return backend.claim(run.id(), run.graph).lease();
  }

  private static String name() {
    return "run-" + UUID.randomUUID();
  }

  /// E45, E46, I9: 700 supersteps of 2 KiB pass several snapshots.
  @Test
  void rebuildsEveryCheckpointOfALongRun() {
    var run = SampleRun.of(name());
    var lease = start(run);
    var random = new Random(SEED);
    var written = new ArrayList<Checkpoint>(List.of(run.last()));
    for (int i = 0; i < 700; i++) {
      backend.store().commit(lease, run.step(text(random, 2048)));
      written.add(run.last());
    }

    for (int number = 0; number <= 700; number += number < 690 ? 23 : 1) {
      var rebuilt = backend.checkpoint(run.header, number, run.graph);
      assertThat(rebuilt.state()).isEqualTo(written.get(number).state());
      assertThat(rebuilt.stateHash()).isEqualTo(written.get(number).stateHash());
    }
    var snapshots = count("snapshot is not null", run);
    assertThat(snapshots).isBetween(3, 6);
  }

  /// E45: what a commit writes does not grow with the state.
  @Test
  void writesWhatChangedAndNotTheState() {
    var run = SampleRun.of(name());
    var lease = start(run);
    for (int i = 0; i < 100; i++) {
      backend.store().commit(lease, run.step("item " + i));
    }

    var largest =
        backend
            .jdbc()
            .sql(
                """
                select max(length(content)) from checkpoint where run = ? and kind = 'step'
                """)
            .param(run.id())
            .query(Integer.class)
            .single();
    assertThat(largest).isLessThan(200);
    assertThat(count("snapshot is not null", run)).isEqualTo(1);
  }

  /// E33: holds are folded over each other, and a snapshot may fall on one.
  @Test
  void rebuildsAHoldWhoseRecordsAreSpreadOverManyRows() {
    var run = SampleRun.of(name());
    var lease = start(run);
    var random = new Random(SEED);
    backend.store().commit(lease, run.step("one"));
    for (int i = 0; i < 12; i++) {
      var waits = run.record(run.task(SampleRun.A), new TaskStatus.Waiting(SampleRun.THEN, why(i)));
      var done = run.done(run.task(SampleRun.B), text(random, 40_000));
      backend.store().commit(lease, run.hold(RunStatus.WAITING, 0, waits, done));
    }

    var rebuilt = backend.checkpoint(run.header, run.last().number(), run.graph);
    assertThat(rebuilt.held()).isEqualTo(run.last().held());
    assertThat(rebuilt.pending()).isEqualTo(run.last().pending());
    assertThat(count("snapshot is not null and kind = 'held'", run)).isPositive();
  }

  private static Why why(int i) {
    return i % 2 == 0 ? Why.RETRY : Why.SLEEP;
  }

  /// E19: reading history never runs user code.
  @Test
  void runsNoMergeOfAUserToReadHistory() {
    var reading = new AtomicBoolean();
    var run =
        new SampleRun(
            name(),
            (left, right) -> {
              if (reading.get()) {
                throw new AssertionError("a user's merge ran while history was read");
              }
              return ListValue.of(left, right);
            },
            Optional.empty());
    var lease = start(run);
    for (int i = 0; i < 3; i++) {
      var joined = NodeResult.of(Change.update("joined", Value.of((long) i)));
      backend
          .store()
          .commit(lease, run.step(run.record(run.task(SampleRun.A), new TaskStatus.Done(joined))));
    }
    var gone =
        new NodeResult(
            new Change(List.of("joined"), List.of(), ObjectValue.empty(), ObjectValue.empty()),
            null,
            List.of(),
            ObjectValue.empty(),
            null,
            null);
    var third = run.last().state();
    backend
        .store()
        .commit(lease, run.step(run.record(run.task(SampleRun.A), new TaskStatus.Done(gone))));
    reading.set(true);

    assertThat(backend.checkpoint(run.header, 3, run.graph).state()).isEqualTo(third);
    assertThat(backend.checkpoint(run.header, 4, run.graph).state().get("joined")).isNull();
  }

  /// P1, P2: the prompt context is kept like a channel; entries get the time of their commit.
  @Test
  void rebuildsThePromptContext() {
    var run = SampleRun.withContext(name());
    var lease = start(run);
    for (int i = 0; i < 3; i++) {
      backend.store().commit(lease, run.step(thinking(run, "thought " + i)));
    }

    var rebuilt = backend.checkpoint(run.header, 3, run.graph);
    var context = rebuilt.context().orElseThrow();
    var expected = run.last().context().orElseThrow();
    assertThat(context.hashed()).isEqualTo(expected.hashed());
    assertThat(context.history().size()).isEqualTo(3);
    assertThat(context.times()).isEqualTo(commitTimes(run, 3));
    assertThat(rebuilt.stateHash()).isEqualTo(run.last().stateHash());
  }

  /// P1: also where the snapshot is of the very superstep that added entries.
  @Test
  void givesHistoryEntriesOfASnapshotTheTimeOfTheirCommit() {
    var run = SampleRun.withContext(name());
    var lease = start(run);
    var random = new Random(SEED);
    int number = 0;
    while (count("snapshot is not null", run) == 1) {
      var result = backend.store().commit(lease, run.step(thinking(run, text(random, 100_000))));
      run.committedAt(((CommitResult.Committed) result).at());
      number++;
    }

    var context = backend.checkpoint(run.header, number, run.graph).context().orElseThrow();
    assertThat(context.times()).isEqualTo(commitTimes(run, number));
  }

  private static TaskRecord thinking(SampleRun run, String response) {
    var result =
        new NodeResult(
            Change.NONE,
            null,
            List.of(),
            ObjectValue.of("llm.last", Value.of(response.length())),
            "think",
            response);
    return run.record(run.task(SampleRun.A), new TaskStatus.Done(result));
  }

  private ListValue commitTimes(SampleRun run, int last) {
    var times = PromptContext.EMPTY.times();
    for (int number = 1; number <= last; number++) {
      var at = backend.checkpoints().find(run.id(), number).orElseThrow().stamp().at();
      times = times.plus(Value.of(at.toString()));
    }
    return times;
  }

  /// E42: an edit is a checkpoint of its own; unresolved tasks see it, held results stay.
  @Test
  void keepsHeldResultsUnderAnEdit() {
    var run = SampleRun.of(name());
    var lease = start(run);
    backend
        .store()
        .commit(
            lease, run.hold(RunStatus.INTERRUPTED, 0, run.asks(run.task(SampleRun.A), run.id())));
    backend.jdbc().sql("update run set owner = null where id = ?").param(run.id()).update();
    var edit = run.edit(Change.update("topic", Value.of("dogs")));
    backend
        .transaction()
        .executeWithoutResult(_ -> backend.writer().write(run.id(), edit, List.of()));

    var rebuilt = backend.checkpoint(run.header, 2, run.graph);
    assertThat(rebuilt.stamp().kind()).isEqualTo(CheckpointKind.UPDATE);
    assertThat(rebuilt.state().get("topic")).isEqualTo(Value.of("dogs"));
    assertThat(rebuilt.held()).isEqualTo(run.last().held());
    assertThat(rebuilt.edits()).isEqualTo(1);
  }

  /// E42
  @Test
  void refusesAnEditOfARunThatIsDriven() {
    var run = SampleRun.of(name());
    start(run);
    var edit = run.edit(Change.update("topic", Value.of("dogs")));

    assertThatThrownBy(() ->
            backend
                .transaction()
                .executeWithoutResult(_ -> backend.writer().write(run.id(), edit, List.of())))
        .isInstanceOf(IllegalStateException.class);
  }

  /// E45: a state that does not have the stored hash is not handed out.
  @Test
  void noticesAStateThatIsNotWhatWasStored() {
    var run = SampleRun.of(name());
    var lease = start(run);
    backend.store().commit(lease, run.step("cats"));
    backend
        .jdbc()
        .sql(
            """
            update checkpoint
               set content = convert_to(replace(convert_from(content, 'UTF8'), 'cats', 'dogs'), 'UTF8')
             where run = ? and number = 1
            """)
        .param(run.id())
        .update();

    assertThatThrownBy(() -> backend.checkpoint(run.header, 1, run.graph))
        .isInstanceOf(CorruptCheckpointException.class)
        .hasMessageContaining("state hash");
  }

  @Test
  void deletesTheCheckpointsOfARun() {
    var run = SampleRun.of(name());
    var lease = start(run);
    backend.store().commit(lease, run.step("one"));

    backend
        .transaction()
        .executeWithoutResult(_ -> backend.checkpoints().delete(List.of(run.id())));

    assertThat(backend.checkpoints().rebuild(run.header, 0, run.graph)).isEmpty();
    assertThat(log.last(run.id())).isEqualTo(1);
  }

  private int count(String condition, SampleRun run) {
    return backend
        .jdbc()
        .sql("select count(*) from checkpoint where run = ? and " + condition)
        .param(run.id())
        .query(Integer.class)
        .single();
  }

  private static String text(Random random, int length) {
    var text = new StringBuilder(length);
    random.ints(length, '!', '~').forEach(it -> text.append((char) it));
    return text.toString();
  }
}
