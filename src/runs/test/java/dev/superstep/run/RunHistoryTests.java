package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.onThread;
import static dev.superstep.run.RunActions.refused;
import static dev.superstep.run.RunActions.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.HistoryCheck.BrokenRow;
import dev.superstep.run.HistoryCheck.Damage;
import dev.superstep.run.HistoryCheck.HistoryHead;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// What is stored of runs is verified, whatever has happened to them.
@RunTest
class RunHistoryTests {
  @Autowired private RunActions on;
  @Autowired private RunHistory history;
  @Autowired private ThreadService threads;
  private StoredHistories runs;

  @BeforeEach
  void makesRuns() {
    runs = new StoredHistories(on, threads);
  }

  private HistoryCheck verify(String run) {
    return history.verify(run, Optional.empty(), Optional.empty());
  }

  private void assertVerified(String run) {
    var check = verify(run);
    assertThat(check.broken()).as(run).isEmpty();
    assertThat(check.notChained()).as(run).isZero();
    assertThat(check.next()).isEmpty();
    int last = on.queries().summary(run).standing().checkpoint();
    assertThat(check.checkpoints()).isEqualTo(last + 1);
    assertThat(check.head().orElseThrow().checkpoint()).isEqualTo(last);
  }

  private void execute(String sql, Object... parameters) {
    assertThat(on.jdbc().sql(sql).params(List.of(parameters)).update()).isPositive();
  }

  @Test
  void verifiesRunsOfAllKinds() {
    var chain = runs.chain(12);
    assertVerified(chain);
    assertVerified(runs.answered());
    assertVerified(runs.asking());
    assertVerified(runs.resolved());
    assertVerified(runs.forked(chain, 5));
  }

  @Test
  void verifiesCopiesOfThreads() {
    var thread = fresh("thread");
    var graph = on.queries().summary(runs.chain(3)).origin().graph();
    var run = on.runs().start(onThread(request(graph), thread)).run();
    on.await(run, RunStatus.SUCCEEDED);

    var copy = threads.copy(thread);

    var copied =
        on.jdbc()
            .sql("select id from run where thread_id = ?")
            .param(copy)
            .query(String.class)
            .list();
    assertThat(copied).hasSize(1).allSatisfy(this::assertVerified);
  }

  @Test
  void refusesAnUnknownRun() {
    assertThat(refused(() -> verify("none")).code()).isEqualTo(ErrorCode.RUN_NOT_FOUND);
  }

  @Test
  void namesWhatWasChangedOrRemoved() {
    var run = runs.chain(4);
    execute("update checkpoint set content = content || '\\x20' where run = ? and number = 2", run);
    assertThat(verify(run).broken())
        .containsExactly(new BrokenRow(Damage.CHANGED, "checkpoint", "2"));

    execute("delete from checkpoint where run = ? and number = 2", run);
    assertThat(verify(run).broken())
        .contains(
            new BrokenRow(Damage.MISSING, "checkpoint", "2"),
            new BrokenRow(Damage.CHANGED, "checkpoint", "3"));
  }

  @Test
  void namesAnAnswerThatWasChanged() {
    var run = runs.answered();
    execute("update interrupt set answer = '\"other\"' where run = ?", run);
    assertThat(verify(run).broken())
        .singleElement()
        .satisfies(it -> assertThat(it.table()).isEqualTo("interrupt"));
  }

  /// An answer does not make a question right that was changed while it was open.
  @Test
  void doesNotForgetWhatWasChangedBeforeTheAnswer() {
    var run = runs.asking();
    execute("update interrupt set payload = '\"Other?\"' where run = ?", run);

    on.runs().answer(on.queries().run(run).interrupts().getFirst().id(), value());

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(verify(run).broken()).isNotEmpty();
  }

  private static Value value() {
    return Value.of("well");
  }

  /// Rows of the release before have no hashes, whether from before the migration or beside it.
  @Test
  void tellsRowsWithoutHashesFromBrokenOnes() {
    var run = runs.asking();
    execute("update checkpoint set link = null, seal = null where run = ?", run);
    execute("update run_input set digest = null where run = ?", run);
    on.runs().answer(on.queries().run(run).interrupts().getFirst().id(), value());
    on.await(run, RunStatus.SUCCEEDED);

    var check = verify(run);

    assertThat(check.broken()).isEmpty();
    assertThat(check.notChained()).isGreaterThan(1);
    assertThat(check.checkpoints()).isPositive();
  }

  /// As a replica of the release before does that drives the run for a while.
  @Test
  void countsARowInBetweenThatTheReleaseBeforeHasWritten() {
    var run = runs.asking();
    int last = on.queries().summary(run).standing().checkpoint();
    execute(
        "update checkpoint set link = null, seal = null where run = ? and number = ?", run, last);
    on.runs().answer(on.queries().run(run).interrupts().getFirst().id(), value());
    on.await(run, RunStatus.SUCCEEDED);

    var check = verify(run);

    assertThat(check.broken()).isEmpty();
    assertThat(check.notChained()).isEqualTo(1);
    assertThat(check.checkpoints()).isEqualTo(on.queries().summary(run).standing().checkpoint());
  }

  /// What is behind it was linked to what has gone.
  @Test
  void namesWhatIsBehindALinkThatWasRemoved() {
    var run = runs.chain(4);
    execute("update checkpoint set link = null, seal = null where run = ? and number = 2", run);
    assertThat(verify(run).broken())
        .containsExactly(new BrokenRow(Damage.CHANGED, "checkpoint", "3"));
  }

  @Test
  void comparesAHeadThatWasKept() {
    var run = runs.asking();
    var head = verify(run).head();
    on.runs().answer(on.queries().run(run).interrupts().getFirst().id(), value());
    on.await(run, RunStatus.SUCCEEDED);
    var other = head.map(it -> new HistoryHead(it.checkpoint(), "0".repeat(64)));

    assertThat(history.verify(run, Optional.empty(), head).broken()).isEmpty();
    assertThat(history.verify(run, Optional.empty(), other).broken())
        .containsExactly(
            new BrokenRow(
                Damage.CHANGED, "head", Integer.toString(head.orElseThrow().checkpoint())));
  }

  /// Clients may send any cursor.
  @Test
  void comparesTheHeadWhateverTheCursorSays() {
    var run = runs.chain(4);
    var other = new HistoryHead(2, "0".repeat(64));
    var end = new HistoryCheck.HistoryPosition(4, 0, Long.MAX_VALUE);
    assertThat(history.verify(run, Optional.of(end), Optional.of(other)).broken())
        .containsExactly(new BrokenRow(Damage.CHANGED, "head", "2"));
  }

  /// Nobody removes the beginning of a run by saying that retention has.
  @Test
  void believesOnlyTrimmingOfRunsThatRetentionTrims() {
    var run = runs.asking();
    execute(
        """
        update run set trimmed_to = 0,
               trimmed_link = (select link from checkpoint where run = id and number = 0) || int4send(0)
         where id = ?
        """,
        run);
    execute("delete from checkpoint where run = ? and number = 0", run);
    assertThat(verify(run).broken()).contains(new BrokenRow(Damage.CHANGED, "run", run));
  }

  /// Behind one another the parts name what one answer would.
  @Test
  void verifiesALongHistoryInParts() {
    var run = runs.chain(3);
    lengthen(run);
    execute("update checkpoint set events = events || '\\x20' where run = ? and number = 700", run);
    var checks = new ArrayList<HistoryCheck>();
    var next = Optional.<HistoryCheck.HistoryPosition>empty();
    do {
      checks.add(history.verify(run, next, Optional.empty()));
      next = checks.getLast().next();
    } while (next.isPresent());

    assertThat(checks).hasSizeGreaterThan(2);
    assertThat(checks.stream().flatMap(it -> it.broken().stream()))
        .containsExactly(new BrokenRow(Damage.CHANGED, "checkpoint", "700"));
    assertThat(checks.stream().mapToInt(HistoryCheck::checkpoints).sum()).isEqualTo(1_203);
  }

  /// 1 200 more checkpoints without events, and 6 000 events behind them.
  private void lengthen(String run) {
    on.jdbc()
        .sql(
            """
            do $$
            declare stored checkpoint; before bytea;
            begin
              select * into stored from checkpoint where run = '%s' order by number desc limit 1;
              for i in 1 .. 1200 loop
                before := stored.link;
                stored.number := stored.number + 1;
                stored.first_event := stored.last_event + 1;
                stored.link := checkpoint_link(before, stored);
                stored.seal := checkpoint_seal(
                  stored.link, stored.version, stored.lease_epoch,
                  stored.first_event, stored.last_event, stored.committed_at);
                insert into checkpoint select stored.*;
              end loop;
              insert into run_event (run, seq, type, data, at)
                select stored.run, stored.last_event + i, 'extra', '{}', now()
                  from generate_series(1, 6000) as i;
              update run set checkpoint = stored.number, event_seq = stored.last_event + 6000
               where id = stored.run;
            end $$
            """
                .formatted(run))
        .update();
  }
}
