package dev.superstep.agent;

import static dev.superstep.agent.Service.at;
import static dev.superstep.agent.Service.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.fault.WebhookReceiver.Received;
import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionOperations;

/// What receivers of webhooks do that they should not, and what may not be lost by it.
@AgentTest
class WebhookFailureApiTests extends HookedGraph {
  private static final int RUNS = 3;
  @Autowired private TransactionOperations transaction;

  /// The time between two attempts passes at once: all times of the deliveries move into the past.
  @Test
  void losesNothingWhileAReceiverFailsForADay() {
    receiver.answer(_ -> 503);
    hook("");
    for (int i = 0; i < RUNS; i++) {
      service.answer(asks(""), "\"yes\"");
    }
    awaitStatuses("pending", "pending", "pending", "pending", "pending", "pending");
    var failing = Duration.ZERO;
    while (failing.compareTo(Duration.ofDays(1)) < 0) {
      await()
          .atMost(SOON)
          .until(() -> count("answer_status = 503 and next_at > now()") == 2 * RUNS);
      failing = failing.plus(pass());
    }
    assertThat(count("status = 'pending'")).isEqualTo(2 * RUNS);
    int failed = receiver.received().size();

    receiver.answer(_ -> 204);
    pass();

    awaitStatuses("delivered", "delivered", "delivered", "delivered", "delivered", "delivered");
    var arrived = receiver.received().subList(failed, receiver.received().size());
    assertThat(arrived).allMatch(it -> it.verifies(secret)).hasSize(2 * RUNS);
    assertThat(arrived.stream().map(Received::id).collect(Collectors.toSet())).hasSize(2 * RUNS);
  }

  private int count(String condition) {
    return jdbc.sql("select count(*) from delivery where webhook = ? and " + condition)
        .param(webhook)
        .query(Integer.class)
        .single();
  }

  /// @return how much time has passed: until all are due
  private Duration pass() {
    return Duration.ofMillis(
        jdbc.sql(
                """
                with passed as (
                  select max(next_at) - clock_timestamp() as time
                    from delivery where webhook = :webhook
                ), moved as (
                  update delivery
                     set next_at = next_at - time, give_up_at = give_up_at - time,
                         created_at = created_at - time, attempted_at = attempted_at - time
                    from passed where webhook = :webhook
                )
                select (extract(epoch from time) * 1000)::bigint from passed
                """)
            .param("webhook", webhook)
            .query(Long.class)
            .single());
  }

  @Test
  void pausesAWebhookWhoseReceiverIsGone() throws IOException {
    receiver.answer(_ -> 410);
    hook("");
    asks("");
    await()
        .atMost(SOON)
        .until(() -> at(service.get("/v1/webhooks/" + webhook), "/paused").equals(Value.TRUE));
    assertThat(text(service.get("/v1/webhooks/" + webhook), "/paused_because")).contains("410");
    awaitStatuses("pending");

    receiver.answer(_ -> 204);
    patch("{\"paused\": false}");

    awaitStatuses("delivered");
  }

  /// The webhook is for the URLs of other runs, too.
  @Test
  void givesUpAUrlOfARunThatIsGone() {
    receiver.answer(_ -> 410);
    webhook = text(service.post("/v1/webhooks", ObjectValue.empty()), "/id");

    asks(", \"webhooks\": [{\"url\": \"%s\"}]".formatted(receiver.url("/own")));

    awaitStatuses("dead");
    assertThat(at(service.get("/v1/webhooks/" + webhook), "/paused")).isEqualTo(Value.FALSE);
    assertThat(text(deliveries("").getFirst(), "/url")).isEqualTo(receiver.url("/own"));
  }

  /// For an hour; nobody can have a delivery given up by asking for a year.
  @Test
  void leavesAReceiverAloneForAsLongAsItAsks() {
    receiver.answer(_ -> 429);
    receiver.retryAfter("3600");
    hook("");
    var before = Instant.now();
    asks("");
    await().atMost(SOON).until(() -> count("answer_status = 429") == 1);
    assertThat(next()).isAfter(before.plus(Duration.ofMinutes(59)));

    receiver.retryAfter("99999999");
    hurry();
    await().atMost(SOON).until(() -> count("answer_status = 429 and attempts = 2") == 1);
    assertThat(next()).isBefore(Instant.now().plus(Duration.ofHours(3)));
    awaitStatuses("pending");
  }

  private Instant next() {
    return Instant.parse(text(deliveries("").getFirst(), "/next_attempt_at"));
  }

  @Test
  void givesUpAtOnceWhatIsMoreThanMayWait() {
    var run = text(asks(""), "/id");
    hook("");
    jdbc.sql(
            """
            insert into delivery (id, webhook, run, seq, type, url, receiver, body, status,
                                  next_at, give_up_at)
            select 'full-' || n || :webhook, :webhook, :run, 1000000 + n, 'custom', '',
                   :webhook || ' ', '', 'pending', now() + interval '1 day', now() + interval '2 days'
              from generate_series(1, 100000) as n
            """)
        .param("webhook", webhook)
        .param("run", run)
        .update();

    asks("");

    await().atMost(SOON).until(() -> count("status = 'dead'") == 1);
    assertThat(text(deliveries("?status=dead").getFirst(), "/last_attempt/answer"))
        .contains("100000 deliveries of this webhook wait", "superstep.webhooks.waiting-max");
    jdbc.sql("delete from delivery where webhook = ?").param(webhook).update();
  }

  /// As the release before inserts runs, which does not know the column.
  @Test
  void writesDownWhatHappensInRunsThatTheReleaseBeforeHasBegun() {
    var run = text(asks(""), "/id");
    hook("");

    transaction.executeWithoutResult(status -> {
      var columns =
          jdbc.sql(
                  """
                  select string_agg(column_name, ', ') from information_schema.columns
                   where table_schema = current_schema() and table_name = 'run'
                     and is_generated = 'NEVER' and is_identity = 'NO'
                     and column_name not in ('id', 'reports', 'birth_id', 'status', 'thread_id')
                  """)
              .query(String.class)
              .single();
      var other = "before-" + UUID.randomUUID();
      jdbc.sql(
              "insert into run (id, birth_id, status, %1$s) select ?, gen_random_uuid(), 'running', %1$s from run where id = ?"
                  .formatted(columns))
          .params(other, run)
          .update();
      jdbc.sql("delete from run_report where run = ?").param(other).update();
      jdbc.sql("update run set status = 'cancelled', event_seq = event_seq + 1 where id = ?")
          .param(other)
          .update();
      assertThat(
              jdbc.sql("select through_seq - after_seq from run_report where run = ?")
                  .param(other)
                  .query(Integer.class)
                  .list())
          .containsExactly(1);
      status.setRollbackOnly();
    });
  }

  @Test
  void tellsTheUrlThatAClientOfLangGraphHasNamed() {
    var call =
        Json.read(
            "{\"assistant_id\": \"%s\", \"input\": {}, \"if_not_exists\": \"create\", \"webhook\": \"%s\"}"
                .formatted(graph, receiver.url("/face")));
    var path = "/langgraph/threads/%s/runs/wait".formatted(UUID.randomUUID());
    assertThat(service.post(path, call).toString()).contains("make a webhook without url first");
    var made = service.post("/v1/webhooks", ObjectValue.empty());
    webhook = text(made, "/id");

    service.post(path, call);

    var told = awaitReceived(1).getFirst();
    assertThat(told.text("/type")).isEqualTo("run.interrupted");
    assertThat(told.verifies(text(made, "/secret"))).isTrue();
    awaitStatuses("delivered");
  }
}
