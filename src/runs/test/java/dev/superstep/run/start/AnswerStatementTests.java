package dev.superstep.run.start;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.StoredInterrupt.Status;
import dev.superstep.checkpoint.row.Interrupts.AnsweredAs;
import dev.superstep.checkpoint.row.RunImages;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.RunActions;
import dev.superstep.run.RunService.Resumed;
import dev.superstep.run.RunTest;
import dev.superstep.run.RunView;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.run.check.LimitsInForce;
import dev.superstep.run.check.TestChecks;
import dev.superstep.run.drive.LocalRunStarter;
import dev.superstep.run.drive.RestingRuns;
import dev.superstep.run.drive.RestingRuns.AskingRun;
import dev.superstep.schedule.Replica;
import dev.superstep.schedule.WakeUps;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Share;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

@RunTest
class AnswerStatementTests {
  private static final String STARTER = "somebody";
  private static final AnsweredAs NOBODY = new AnsweredAs(Optional.empty(), List.of());

  @Autowired private RunActions on;
  @Autowired private AnswerStatement statement;
  @Autowired private JdbcClient jdbc;
  @Autowired private LocalRunStarter local;
  @Autowired private CallerQuotas quotas;
  @Autowired private RestingRuns resting;
  @Autowired private LimitsInForce limits;
  @Autowired private WakeUps wakeUps;
  @Autowired private RunImages images;
  @Autowired private GraphRegistry graphs;
  @Autowired private Replica replica;
  @Autowired private TransactionTemplate transactions;
  private String run = "";

  @BeforeEach
  void asksAQuestion() {
    var name = fresh("asks");
    var question = InterruptRequest.of("ask", Value.NULL);
    on.graphs().add(graph(name).node("a", asks(question)).edge("__start__", "a"));
    run = on.start(name);
    on.await(run, RunStatus.INTERRUPTED);
  }

  private RunView view() {
    return on.queries().run(run);
  }

  private boolean goesOn(AskingRun asking) {
    return statement.goOn(answer(asking)).isPresent();
  }

  private static AnswerStatement.Answer answer(AskingRun asking) {
    return new AnswerStatement.Answer(
        asking.question(), STARTER, Value.of("yes"), NOBODY, Optional.empty(), Optional.of(asking));
  }

  private AnswerStatement with(CallerQuotas otherQuotas, LimitsInForce otherLimits) {
    return new AnswerStatement(
        jdbc, local, otherQuotas, resting, otherLimits, wakeUps, images, graphs);
  }

  private long epoch() {
    return on.jdbc()
        .sql("select lease_epoch from run where id = ?")
        .param(run)
        .query(Long.class)
        .single();
  }

  private void change(String column) {
    on.jdbc()
        .sql("update run set %1$s = %1$s + 1 where id = ?".formatted(column))
        .param(run)
        .update();
  }

  private void assertOpen(AskingRun asking) {
    assertThat(on.status(run)).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(on.queries().interrupt(asking.question().id()).status()).isEqualTo(Status.OPEN);
  }

  @Test
  void goesOnWithARunThatIsAsItWas() {
    assertThat(goesOn(new AskingRun(epoch(), view()))).isTrue();

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("yes");
  }

  @Test
  void changesNothingOfARunThatAnotherLeaseHasHad() {
    var asking = new AskingRun(epoch(), view());
    change("lease_epoch");

    assertThat(goesOn(asking)).isFalse();

    assertOpen(asking);
  }

  @Test
  void changesNothingOfARunThatHasAnotherCheckpoint() {
    var asking = new AskingRun(epoch(), view());
    change("checkpoint");

    assertThat(goesOn(asking)).isFalse();

    on.jdbc().sql("update run set checkpoint = checkpoint - 1 where id = ?").param(run).update();
    assertOpen(asking);
  }

  /// The answer is on disk: the run, which this process owns, must be driven.
  @Test
  void goesOnWithARunThatCouldNotBeginAtOnce() {
    var unreadable = with(quotas, TestChecks.unreadableLimits());
    var answer = answer(new AskingRun(epoch(), view()));

    assertThatThrownBy(() -> unreadable.goOn(answer)).isInstanceOf(DataAccessException.class);

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("yes");
  }

  /// It has waited for the run, whose newest checkpoint is behind its own snapshot.
  @Test
  void goesOnWithARunThatIsChangedWhileItWaitsForIt() throws Exception {
    var question = view().interrupts().getFirst();
    var answer =
        new AnswerStatement.Answer(
            question, STARTER, Value.of("yes"), NOBODY, Optional.empty(), Optional.empty());
    var answered = new CompletableFuture<Optional<Resumed>>();

    transactions.executeWithoutResult(_ -> {
      repeatCheckpoint();
      answered.completeAsync(() -> statement.goOn(answer));
      await().until(this::waitsForTheRun);
    });

    assertThat(answered.get(20, TimeUnit.SECONDS)).isPresent();
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("yes");
  }

  private void repeatCheckpoint() {
    jdbc.sql(
            """
            insert into checkpoint
              select run, number + 1, kind, superstep, version, lease_epoch, base, delta_bytes,
                     snapshot_bytes, first_event, last_event, committed_at, state_hash, content,
                     events, null
                from checkpoint where run = ? order by number desc limit 1
            """)
        .param(run)
        .update();
    jdbc.sql("update run set checkpoint = checkpoint + 1 where id = ?").param(run).update();
  }

  private boolean waitsForTheRun() {
    return on.jdbc()
        .sql(
            """
            select exists (select from pg_stat_activity
                            where wait_event_type = 'Lock' and query like 'with locked_thread%')
            """)
        .query(Boolean.class)
        .single();
  }

  /// The call that answers it otherwise admits the run again.
  @Test
  void admitsNoRunOfWhichNothingHasChanged() {
    var bounded = TestChecks.quotas(1);
    var answer = answer(new AskingRun(epoch(), view()));
    change("lease_epoch");

    assertThat(with(bounded, limits).goOn(answer)).isEmpty();
    replica.pauseClaims();
    try {
      assertThat(with(bounded, limits).goOn(answer)).isEmpty();
    } finally {
      replica.resumeClaims();
    }

    assertThat(bounded.admitIfRoom(Share.of(run, STARTER))).isPresent();
    assertThat(bounded.admitIfRoom(Share.of(run, STARTER))).isEmpty();
  }

  @Test
  void admitsTheRunThatGoesOn() {
    var bounded = TestChecks.quotas(1);

    assertThat(with(bounded, limits).goOn(answer(new AskingRun(epoch(), view())))).isPresent();

    assertThat(bounded.admitIfRoom(Share.of(run, STARTER))).isEmpty();
    on.await(run, RunStatus.SUCCEEDED);
  }
}
