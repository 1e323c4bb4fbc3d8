package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.StoredForm;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.schedule.ScheduledRows;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// durability.md, rule 15: what a newer release has stored is left to a replica that can read it. A
/// run is taken through the steps of an upgrade: a newer replica has written it, this one meets it.
@RunTest
class StoredFormsTests {
  @Autowired private RunActions on;
  private String run = "";
  private String question = "";

  @BeforeEach
  void startARunThatAsks() {
    var name = fresh("newer");
    on.graphs()
        .add(
            graph(name)
                .node("a", asks(InterruptRequest.of("ask", Value.NULL)))
                .edge("__start__", "a"));
    run = on.start(name);
    question = on.await(run, RunStatus.INTERRUPTED).interrupts().getFirst().id();
  }

  /// Writes the form of the last checkpoint, and another time, so that what this process keeps of
  /// it counts no more.
  private void stored(int form) {
    on.jdbc()
        .sql(
            """
            update checkpoint
               set committed_at = committed_at + interval '1 ms',
                   content = convert_to(
                     regexp_replace(convert_from(content, 'UTF8'), '"v":[0-9]+', :form), 'UTF8')
             where run = :run
            """)
        .param("run", run)
        .param("form", "\"v\":" + form)
        .update();
  }

  private void marked(int form) {
    on.jdbc().sql("update run set form = ? where id = ?").params(form, run).update();
  }

  private long column(String name) {
    return on.jdbc()
        .sql("select " + name + " from run where id = ?")
        .param(run)
        .query(Long.class)
        .single();
  }

  /// How often its wake-up was looked at.
  private long looks() {
    return new ScheduledRows(on.jdbc()).attempts(run);
  }

  @Test
  void claimsNoRunThatItCannotRead() {
    int newer = StoredForm.NEWEST + 1;
    marked(newer);
    stored(newer);
    long epoch = column("lease_epoch");

    on.runs().answer(question, Value.of("yes"));

    await().atMost(Duration.ofSeconds(20)).until(() -> looks() > 3);
    assertThat(on.status(run)).isEqualTo(RunStatus.QUEUED);
    assertThat(column("lease_epoch")).isEqualTo(epoch);
    assertThat(RunActions.refused(() -> on.queries().state(run, Optional.empty())).code())
        .isEqualTo(ErrorCode.STORED_BY_NEWER_RELEASE);

    // The replica is upgraded.
    stored(StoredForm.NEWEST);
    marked(StoredForm.NEWEST);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("yes");
    assertThat(on.events(run)).doesNotContain("run.taken_over", "run.failed");
  }

  /// A release that forgot to mark what it wrote.
  @Test
  void failsNoRunThatItFindsUnreadable() {
    stored(StoredForm.NEWEST + 1);
    long epoch = column("lease_epoch");

    on.runs().answer(question, Value.of("yes"));

    await().atMost(Duration.ofSeconds(20)).until(() -> column("lease_epoch") > epoch + 1);
    assertThat(column("takeovers")).isZero();
    stored(StoredForm.NEWEST);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.events(run)).doesNotContain("run.failed");
  }
}
