package dev.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.row.EventLog;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.InboxMessage;
import dev.superstep.engine.run.InboxMessage.IfUntaken;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.schedule.ScheduledRows;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;

/// I1 to I9 and I14 hold for runs of this store, and each of them fires when its rows are damaged.
@StoreTest
class InvariantQueriesTests {
  private static final Duration LEASE = Duration.ofSeconds(6);

  @Autowired private PostgresBackend backend;
  @Autowired private EventLog log;
  private SampleRun run;

  @BeforeEach
  void finishARun() {
    run = SampleRun.of("run-" + UUID.randomUUID());
    backend.start(run.header, run.first());
    var lease = backend.claim(run.id(), run.graph).lease();
    backend
        .transaction()
        .executeWithoutResult(
            _ -> log.append(run.id(), List.of(Event.of("run.started", ObjectValue.empty()))));
    backend.send(run.id(), message("m-0"));
    backend.send(run.id(), message("m-1"));
    backend.store().commit(lease, run.step(counted(), taken("m-0"), taken("m-1")));
    damage("update run set answers = 0 where id = :run"); // its commits have seen none
    lease = hold(lease);
    backend.store().commit(lease, run.step(SampleRun.fanOut(2), counted()));
    backend.store().commit(lease, run.finish(counted()));
    finished(lease);
  }

  /// One task that adds 1.
  private TaskRecord counted() {
    var change = Change.update("log", Value.of("x"));
    var all = new Change(List.of(), List.of(), count(), change.update());
    return run.record(run.task(SampleRun.A), new TaskStatus.Done(NodeResult.of(all)));
  }

  private static InboxMessage message(String id) {
    return new InboxMessage(0, id, "log", Value.of(id), IfUntaken.FOLD, SampleRun.THEN);
  }

  private TaskRecord taken(String id) {
    return run.done(new TaskKey(run.task(SampleRun.A).superstep(), NodeId.INBOX, id), id);
  }

  private ObjectValue count() {
    var before = run.last().state().get("count") instanceof Value.Int(var n) ? n : 0;
    return ObjectValue.of("count", Value.of(before + 1));
  }

  private Lease hold(Lease lease) {
    var done = run.done(run.task(SampleRun.A), "held");
    backend.store().record(lease, List.of(done), List.of());
    backend.store().commit(lease, run.hold(RunStatus.FAILED, 0, done));
    return backend.claim(run.id(), run.graph).lease();
  }

  private void finished(Lease lease) {
    var runHead = run.head(RunStatus.SUCCEEDED);
    var ended =
        new RunHead(
            runHead.status(),
            runHead.superstep() + 1,
            runHead.error(),
            runHead.breakpoint(),
            runHead.wakesAt(),
            runHead.passed(),
            runHead.elapsed());
    backend.store().commit(lease, run.onlyHead(ended, "run.succeeded"));
  }

  private List<String> violations() {
    return new InvariantQueries(backend.jdbc()).violations(List.of(run.id()), LEASE);
  }

  private InvariantFolds folds() {
    return new InvariantFolds(backend.jdbc());
  }

  private void damage(String sql) {
    assertThat(backend.jdbc().sql(sql).param("run", run.id()).update()).isPositive();
  }

  /// I1, I2, I3, I4, I5, I6, I7
  @Test
  void findsNothingWrongWithARunOfTheStore() {
    assertThat(violations()).isEmpty();
  }

  /// I8, I9
  @Test
  void findsNothingWrongWithItsFolds() {
    assertThat(folds().foldViolations(run.header, run.graph)).isEmpty();
    assertThat(folds().countViolations(run.header, run.graph, "count", "")).isEmpty();
  }

  /// Each damage is one that only the named invariant is there to find.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          I1 | update checkpoint set content = convert_to(replace(convert_from(content, 'UTF8'), '"done"', '"failed"'), 'UTF8') where run = :run and number = 1
          I1 | insert into task (id, run, graph, superstep, node, number, wakes_below, type, attempt, idempotency_key, payload, heartbeat_ms) select concat('*/', id), id, graph, superstep, '__start__', 1, 0, '*', 1, lease_epoch::text, '{}', 1000 from run where id = :run
          I2 | update checkpoint set content = convert_to(replace(convert_from(content, 'UTF8'), '"next"', '"lost"'), 'UTF8') where run = :run and number = 4
          I2 | update checkpoint set content = convert_to(replace(convert_from(content, 'UTF8'), '"__end__"', '{"id":"d0"}'), 'UTF8') where run = :run and number = 4
          I3 | delete from checkpoint where run = :run and number = 3
          I3 | update checkpoint set lease_epoch = 9 where run = :run and number = 1
          I3 | update checkpoint set superstep = 1 where run = :run and number = 3
          I4 | update run set superstep = 2 where id = :run
          I4 | update run set checkpoint = 3 where id = :run
          I5 | update run set event_seq = event_seq + 1 where id = :run
          I5 | delete from run_event where run = :run and type = 'run.started'
          I5 | update checkpoint set events = convert_to('[]', 'UTF8') where run = :run and number = 1
          I6 | update run_event set type = 'run.cancelled' where run = :run and type = 'run.succeeded'
          I6 | update run set status = 'failed' where id = :run
          I14 | update run_message set checkpoint = 2 where run = :run and id = 'm-0'
          I14 | update run_message set checkpoint = null, superstep = null where run = :run and id = 'm-1'
          I14 | update run_message set seq = 3 - seq + 10 where run = :run
          I14 | update checkpoint set content = convert_to(replace(convert_from(content, 'UTF8'), 'm-1', 'm-0'), 'UTF8') where run = :run and number = 1
          I7 | update run set status = 'queued', owner = null where id = :run
          I7 | update run set status = 'interrupted', owner = null, wakes_at = now() where id = :run
          I7 | update run set status = 'running', owner = 'nobody' where id = :run
          """)
  void firesWhenItsRowsAreDamaged(String invariant, String damage) {
    damage(damage);

    assertThat(violations()).anyMatch(it -> it.startsWith(invariant + " "));
  }

  /// I7
  @Test
  void findsAWakeUpThatIsOverdue() {
    damage("update run set status = 'queued', owner = null where id = :run");
    new ScheduledRows(backend.jdbc()).insertWakeUp(run.id(), Duration.ofMinutes(1));

    assertThat(violations()).anyMatch(it -> it.startsWith("I7 ") && it.contains("was due"));
  }

  /// I7
  @Test
  void findsAnOwnerThatIsSilent() {
    damage("update run set status = 'running', owner = id where id = :run");
    new ScheduledRows(backend.jdbc()).insertReplica(run.id(), Duration.ofMinutes(1));

    assertThat(violations()).anyMatch(it -> it.startsWith("I7 ") && it.contains("silent since 2"));
  }

  /// I8
  @Test
  void findsATaskThatCountsTwice() {
    damage(
        """
        update checkpoint
           set content = convert_to(
                 replace(convert_from(content, 'UTF8'), '"t":[', '"t":[{"done":{},"f":0,"n":"a","s":0},'),
                 'UTF8')
         where run = :run and number = 1
        """);

    assertThat(folds().countViolations(run.header, run.graph, "count", "")).isNotEmpty();
  }

  /// I9
  @Test
  void findsADeltaThatDoesNotGiveTheStoredHash() {
    damage(
        """
        update checkpoint set state_hash = sha256('other') where run = :run and number = 2
        """);

    assertThat(folds().foldViolations(run.header, run.graph)).hasSize(1);
  }

  /// I8
  @ParameterizedTest
  @CsvSource({
    "a#1 a#2 b#1 b#2, 0",
    "a#1 b#1 a#2 b#2, 3",
    "a#2 a#1, 2",
    "a#1 a#2 a#1 a#2, 2",
    "a#1 a#2 b#1, 1"
  })
  void findsBlocksThatAreTornOrThereTwice(String items, int violations) {
    var values = Arrays.stream(items.split(" ", -1)).<Value>map(Value::of).toList();

    assertThat(InvariantFolds.brokenBlocks(values, 2)).hasSize(violations);
  }
}
