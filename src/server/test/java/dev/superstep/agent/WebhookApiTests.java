package dev.superstep.agent;

import static dev.superstep.agent.Service.at;
import static dev.superstep.agent.Service.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.fault.WebhookReceiver;
import dev.superstep.fault.WebhookReceiver.Received;
import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What webhooks are told, to real receivers, verified by the published verifier.
@AgentTest
class WebhookApiTests extends HookedGraph {
  @Test
  void tellsWhereRunsStandSignedForThePublishedVerifier() {
    hook("");
    var run = asks(", \"metadata\": {\"who\": \"eve\"}, \"callback_meta\": {\"order\": 17}");
    service.answer(run, "\"yes\"");

    var received = awaitReceived(2);

    assertThat(received)
        .extracting(it -> it.text("/type"))
        .containsExactlyInAnyOrder("run.interrupted", "run.succeeded");
    assertThat(received).allMatch(it -> it.verifies(secret)).allMatch(it -> it.signatures() == 1);
    assertThat(received).noneMatch(it -> it.verifies("whsec_" + "A".repeat(43) + "="));
    var end =
        received.stream().filter(it -> it.text("/type").equals("run.succeeded")).findAny().get();
    assertThat(end.text("/data/run_id")).isEqualTo(text(run, "/id"));
    assertThat(end.at("/data/output/n")).isEqualTo(Value.of(1));
    assertThat(end.text("/data/metadata/who")).isEqualTo("eve");
    assertThat(end.at("/data/callback_meta/order")).isEqualTo(Value.of(17));
    awaitStatuses("delivered", "delivered");
    assertThat(at(deliveries("?limit=1").getFirst(), "/last_attempt/status"))
        .isEqualTo(Value.of(204));
    assertThat(service.read("/v1/webhooks/" + webhook)).doesNotContain("whsec_");
    assertThat(service.read("/v1/webhooks")).doesNotContain("whsec_");
  }

  @Test
  void tellsOfRunsThatHadBegunBeforeItAndOfNothingBefore() {
    var run = asks("");
    hook(", \"events\": [\"run.succeeded\", \"run.interrupted\", \"message.taken\"]");
    await()
        .atMost(SOON)
        .until(() ->
            jdbc.sql("select reports from run where id = ?")
                    .param(text(run, "/id"))
                    .query(Integer.class)
                    .single()
                == 2);
    service.post(
        "/v1/runs/" + text(run, "/id") + "/messages", ObjectValue.of("message", Value.of("hi")));
    service.answer(run, "\"yes\"");

    var received = awaitReceived(2);

    assertThat(received)
        .extracting(it -> it.text("/type"))
        .containsExactlyInAnyOrder("message.taken", "run.succeeded");
  }

  @Test
  void triesAgainUntilAReceiverThatHasFailedComesBackAndHoldsUpNobodyElse() {
    var failures = new AtomicInteger(3);
    receiver.answer(_ -> failures.getAndDecrement() > 0 ? 503 : 204);
    hook("");
    var run = asks("");
    service.answer(run, "\"yes\"");
    await().atMost(SOON).until(() -> failures.get() <= 1);
    hurry();
    await().atMost(SOON).until(() -> failures.get() <= 0);
    hurry();

    awaitStatuses("delivered", "delivered");

    var ids = receiver.received().stream().map(Received::id).distinct();
    assertThat(ids).hasSize(2);
    assertThat(receiver.received()).allMatch(it -> it.verifies(secret));
  }

  @Test
  void givesUpAfterItsTimeAndSendsAgainWhatIsReplayed() {
    receiver.answer(_ -> 500);
    hook("");
    var run = asks("");
    awaitReceived(1);
    jdbc.sql("update delivery set give_up_at = clock_timestamp() where webhook = ?")
        .param(webhook)
        .update();
    hurry();
    awaitStatuses("dead");
    var dead = deliveries("?status=dead").getFirst();
    assertThat(at(dead, "/last_attempt/status")).isEqualTo(Value.of(500));
    assertThat(text(dead, "/last_attempt/answer")).startsWith("nono").hasSizeLessThan(600);

    receiver.answer(_ -> 204);
    var replayed =
        service.post("/v1/webhooks/" + webhook + "/deliveries:replay", ObjectValue.empty());
    assertThat(at(replayed, "/replayed")).isEqualTo(Value.of(1));
    awaitStatuses("delivered");
    int before = receiver.received().size();
    var one =
        service.post(
            "/v1/webhooks/%s/deliveries/%s:replay".formatted(webhook, text(dead, "/id")),
            ObjectValue.empty());
    assertThat(text(one, "/body")).contains(text(run, "/id"));

    awaitReceived(before + 1);
    assertThat(receiver.received()).extracting(Received::id).containsOnly(text(dead, "/id"));
    assertThat(receiver.received()).extracting(Received::body).containsOnly(text(one, "/body"));
  }

  @Test
  void signsWithBothSecretsWhileItRotates() {
    hook("");
    var rotated =
        service.post(
            "/v1/webhooks/" + webhook + "/rotate", ObjectValue.of("overlap", Value.of("1h")));
    var next = text(rotated, "/secret");
    asks("");
    var first = awaitReceived(1).getFirst();
    assertThat(first.signatures()).isEqualTo(2);
    assertThat(first.verifies(secret)).isTrue();
    assertThat(first.verifies(next)).isTrue();

    var path = "/v1/webhooks/" + webhook + "/rotate";
    assertThat(text(service.post(path, ObjectValue.empty()), "/code")).isEqualTo("conflict");
    var third = text(service.post(path, ObjectValue.of("overlap", Value.of("0s"))), "/secret");
    asks("");
    var second = awaitReceived(2).getLast();
    assertThat(second.signatures()).isEqualTo(1);
    assertThat(second.verifies(next)).isFalse();
    assertThat(second.verifies(third)).isTrue();
  }

  @Test
  void doesNotLetADeadReceiverHoldUpAnother() throws IOException {
    var open = new CountDownLatch(1);
    receiver.answer(_ -> {
      open.await();
      return 204;
    });
    hook("");
    try (var other = new WebhookReceiver()) {
      var made =
          service.post(
              "/v1/webhooks",
              Json.read(
                  "{\"url\": \"%s\", \"graphs\": [\"%s\"]}".formatted(other.url("/"), graph)));
      for (int i = 0; i < 12; i++) {
        asks("");
      }
      await().atMost(SOON).until(() -> other.received().size() == 12);
      assertThat(receiver.received()).hasSizeLessThanOrEqualTo(8);
      service.delete("/v1/webhooks/" + text(made, "/id"));
    } finally {
      open.countDown();
    }
  }

  @Test
  void tellsTheUrlsThatARunNamesOnceSomethingSignsThem() {
    var own =
        ", \"webhooks\": [{\"url\": \"%s\", \"events\": [\"run.interrupted\"]}]"
            .formatted(receiver.url("/own"));
    var body = Json.read("{\"graph\": \"%s\", \"input\": {}%s}".formatted(graph, own));
    assertThat(text(service.post("/v1/runs", body), "/code")).isEqualTo("invalid_value");
    var made = service.post("/v1/webhooks", ObjectValue.empty());
    webhook = text(made, "/id");
    assertThat(text(service.post("/v1/webhooks", ObjectValue.empty()), "/code"))
        .isEqualTo("conflict");

    var run = asks(own);
    service.answer(run, "\"yes\"");

    assertThat(awaitReceived(1)).allMatch(it -> it.verifies(text(made, "/secret")));
    assertThat(receiver.received().getFirst().text("/data/run_id")).isEqualTo(text(run, "/id"));
    awaitStatuses("delivered");
  }

  @Test
  void saysWhatItHasLeftOutAndErasesDeliveriesWithTheirRun() {
    service.graph(
        """
        name: %s
        channels: { big: {} }
        nodes: [{ id: big, type: router }]
        """
            .formatted(graph));
    hook("");
    var run = service.run(graph, ObjectValue.of("big", Value.of("x".repeat(70_000))));
    var received = awaitReceived(1).getFirst();
    assertThat(received.at("/data/truncated")).isEqualTo(Value.TRUE);
    assertThat(received.at("/data/output")).isEqualTo(Value.NULL);
    assertThat(received.text("/data/url")).isEqualTo("/v1/runs/" + text(run, "/id"));
    awaitStatuses("delivered");

    service.delete("/v1/runs/" + text(run, "/id"));

    assertThat(deliveries("")).isEmpty();
  }

  @Test
  void pausesAndGoesOnWhereItHasMoved() throws IOException {
    hook("");
    patch("{\"paused\": true}");
    asks("");
    awaitStatuses("pending");
    assertThat(receiver.received()).isEmpty();
    try (var other = new WebhookReceiver()) {
      patch("{\"url\": \"%s\", \"paused\": false}".formatted(other.url("/moved")));
      awaitStatuses("delivered");
      assertThat(other.received()).hasSize(1).allMatch(it -> it.verifies(secret));
    }
    assertThat(receiver.received()).isEmpty();
  }

  /// Large numbers, and a request of a run that nobody can read.
  @Test
  void isNotHeldUpByARunThatCannotBeRead() {
    hook("");
    var broken = asks(", \"callback_meta\": {\"a\": 1}");
    awaitReceived(1);
    jdbc.sql("update run_input set webhooks = '\\x7b'::bytea where run = ?")
        .param(text(broken, "/id"))
        .update();
    service.answer(broken, "\"yes\"");
    asks(", \"callback_meta\": {\"a\": 1e20}");

    var received = awaitReceived(2).getLast();

    assertThat(received.at("/data/callback_meta/a")).isEqualTo(Value.of(1e20));
    assertThat(
            jdbc.sql("select attempts from run_report where run = ?")
                .param(text(broken, "/id"))
                .query(Integer.class)
                .list())
        .hasSize(1);
  }

  /// Of what was told a week ago nobody knows any more.
  @Test
  void tellsAnEventOnceThoughItsDeliveryIsDeleted() {
    hook("");
    var run = text(asks(""), "/id");
    awaitReceived(1);
    awaitStatuses("delivered");
    jdbc.sql("delete from delivery where webhook = ?").param(webhook).update();
    jdbc.sql("update run_event set at = at - interval '7 days' where run = ?").param(run).update();
    jdbc.sql("update checkpoint set committed_at = committed_at - interval '7 days' where run = ?")
        .param(run)
        .update();

    service.post("/v1/runs/" + run + "/cancel", ObjectValue.empty());

    assertThat(awaitReceived(2).getLast().text("/type")).isEqualTo("run.cancelled");
    awaitStatuses("delivered");
    assertThat(receiver.received()).hasSize(2);
  }

  @Test
  void tellsNothingOfCopies() {
    hook("");
    var thread = "hooked-" + UUID.randomUUID();
    service.answer(asks(", \"thread_id\": \"%s\"".formatted(thread)), "\"yes\"");
    awaitReceived(2);

    service.post("/v1/threads/" + thread + "/copy", ObjectValue.empty());
    asks("");

    awaitReceived(3);
    assertThat(
            jdbc.sql("select distinct reports from run where graph = ? order by reports")
                .param(graph)
                .query(Integer.class)
                .list())
        .containsExactly(0, 1);
    assertThat(receiver.received()).hasSize(3);
  }

  /// One that wants more than the run reports, while a report of less waits.
  @Test
  void tellsASecondWebhookWhatTheFirstDoesNotWant() {
    hook("");
    var run = asks("");
    awaitReceived(1);
    service.post(
        "/v1/runs/" + text(run, "/id") + "/messages",
        ObjectValue.of("message", Value.of("before")));
    var second =
        text(
            service.post(
                "/v1/webhooks",
                Json.read(
                    "{\"url\": \"%s\", \"graphs\": [\"%s\"], \"events\": [\"message.taken\"]}"
                        .formatted(receiver.url("/second"), graph))),
            "/id");
    service.answer(run, "\"yes\"");

    var received = awaitReceived(3);

    assertThat(received)
        .extracting(it -> it.text("/type"))
        .containsExactlyInAnyOrder("run.interrupted", "message.taken", "run.succeeded");
    service.delete("/v1/webhooks/" + second);
  }
}
