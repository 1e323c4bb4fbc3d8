package dev.superstep.run.start;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.RunActions.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.run.IfBusy;
import dev.superstep.run.RunTest;
import dev.superstep.run.StartRun;
import dev.superstep.run.ThreadScenarios;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// The heads of new runs, as each way of inserting them stores them.
@RunTest
class NewRunRowsTests extends ThreadScenarios {
  private static final String BARE =
      "insert into run (id, graph, version, status) values (?, ?, ?, ?)";

  /// What a start says of a run; the rest is as the table has it.
  private static final String REST =
      """
      select (to_jsonb(run) - array['id', 'graph', 'version', 'status', 'thread_id', 'ordinal',
              'turn', 'wake', 'wakes_at', 'event_seq', 'created_at', 'birth_id',
              'digest'])::text
        from run where id = ?
      """;

  @Test
  void startWithTheDefaultsOfTheTable() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    var bare = fresh("bare");
    on.jdbc().sql(BARE).params(bare, name, 1, "succeeded").update();
    var defaults = rest(bare);
    on.jdbc().sql("delete from run where id = ?").param(bare).update(); // it has no request

    var active = on.runs().start(holds(name, thread, "one")).run();
    var enqueued = on.runs().start(post(name, thread, "two", IfBusy.ENQUEUE)).run();
    var tomorrow = Instant.now().plus(1, ChronoUnit.DAYS);
    var later = new StartRun.Options(Limits.NONE, Breakpoints.NONE, 0, Optional.of(tomorrow));
    var queued = on.runs().start(with(request(name), later)).run();

    assertThat(rest(enqueued)).isEqualTo(defaults);
    assertThat(rest(queued)).isEqualTo(defaults);
    assertThat(wordOf(enqueued)).isEqualTo("enqueued");
    assertThat(wordOf(queued)).isEqualTo("queued");
    on.runs().cancel(queued);
    gate.countDown();
    on.await(active, RunStatus.SUCCEEDED);
    on.await(enqueued, RunStatus.SUCCEEDED);
  }

  /// One that is driven from the start has begun with its insert.
  @Test
  void numberTheEventsOfTheirInsert() {
    var gate = new CountDownLatch(1);
    var driven = on.runs().start(holds(held(gate), fresh("thread"), "one")).run();
    var tomorrow = Instant.now().plus(1, ChronoUnit.DAYS);
    var later = new StartRun.Options(Limits.NONE, Breakpoints.NONE, 0, Optional.of(tomorrow));
    var queued = on.runs().start(with(request(held(gate)), later)).run();

    assertThat(eventsOfInsert(driven)).isEqualTo("1-2");
    assertThat(eventsOfInsert(queued)).isEqualTo("1-1");
    assertThat(on.queries().lastEvent(queued)).isOne();
    on.runs().cancel(queued);
    gate.countDown();
    on.await(driven, RunStatus.SUCCEEDED);
  }

  private String eventsOfInsert(String run) {
    return on.jdbc()
        .sql("select first_event || '-' || last_event from checkpoint where run = ? and number = 0")
        .param(run)
        .query(String.class)
        .single();
  }

  private String rest(String run) {
    return on.jdbc().sql(REST).param(run).query(String.class).single();
  }

  private String wordOf(String run) {
    return on.jdbc()
        .sql("select status from run where id = ?")
        .param(run)
        .query(String.class)
        .single();
  }
}
