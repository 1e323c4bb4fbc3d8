package dev.superstep.run.start;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.StoredInterrupt.Status;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.RunActions;
import dev.superstep.run.RunTest;
import dev.superstep.run.RunView;
import dev.superstep.run.drive.RestingRuns.AskingRun;
import dev.superstep.state.value.Value;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@RunTest
class AnswerStatementTests {
  @Autowired private RunActions on;
  @Autowired private AnswerStatement statement;
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
    var answer =
        new AnswerStatement.Answer(
            asking.question(), "", Value.of("yes"), Optional.empty(), Optional.of(asking));
    return statement.goOn(answer).isPresent();
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
}
