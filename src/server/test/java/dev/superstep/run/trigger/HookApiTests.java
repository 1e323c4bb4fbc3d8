package dev.superstep.run.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Webhooks, on a server with keys and tenants: senders have none.
@TriggerApiTest
class HookApiTests extends TriggerCalls {
  private static final String BODY =
      "{\"action\": \"opened\", \"issue\": {\"title\": \"It burns\"}}";

  private String delivery = "";

  @BeforeEach
  void posts() {
    delivery = UUID.randomUUID().toString();
    key = "alpha";
    declare(
        """
        name: issues
        channels: { title: {}, event: {} }
        nodes: [{ id: a, type: router }]
        triggers:
          opened:
            webhook:
              scheme: github
              secret: secret:github
              when: body.action == 'opened'
              input: { title: "{{ body.issue.title }}", event: "{{ headers['x-github-event'] }}" }
          whole: { webhook: { scheme: github, secret: "secret:github" } }
          unset: { webhook: { scheme: github, secret: "secret:gone" } }
          talk: { webhook: { scheme: slack, secret: "secret:github" } }
        """);
  }

  private void declare(String yaml) {
    var answer = post(yaml);
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
  }

  private static String signature(String body) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      var key = "It's a Secret to Everybody".getBytes(StandardCharsets.UTF_8);
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpResponse<String> deliver(String path, String body) {
    return deliver(path, body, "application/json");
  }

  private HttpResponse<String> deliver(String path, String body, String type) {
    return send(
        "POST",
        "/v1/hooks/" + path,
        body,
        "Content-Type",
        type,
        "X-GitHub-Event",
        "issues",
        "X-GitHub-Delivery",
        delivery,
        "X-Hub-Signature-256",
        "sha256=" + signature(body));
  }

  private static String run(HttpResponse<String> answer) {
    return ((ObjectValue) Json.read(answer.body())).textOrEmpty("run_id");
  }

  @Test
  void startsARunOnceForEachDelivery() {
    var first = deliver("default/issues/opened", BODY);
    assertThat(first.statusCode()).as(first.body()).isEqualTo(202);

    var again = deliver("default/issues/opened", BODY);

    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(run(again)).isEqualTo(run(first)).startsWith("opened.");
    var started = get("/v1/runs/" + run(first) + "?wait=20s");
    assertThat(started.objectOrEmpty("input").textOrEmpty("title")).isEqualTo("It burns");
    assertThat(started.objectOrEmpty("input").textOrEmpty("event")).isEqualTo("issues");
    assertThat(started.objectOrEmpty("metadata").textOrEmpty("delivery")).isEqualTo(delivery);
    assertThat(started.textOrEmpty("created_by")).isNotEmpty();
  }

  @Test
  void isTheSameDeliveryWhateverTheGraphMakesOfIt() {
    var first = deliver("default/issues/opened", BODY);

    var other = deliver("default/issues/opened", BODY.replace("burns", "smokes"));

    assertThat(other.statusCode()).as(other.body()).isEqualTo(200);
    assertThat(run(other)).isEqualTo(run(first));
  }

  @Test
  void leavesOutWhatTheDefinitionDoes() {
    var answer = deliver("default/issues/opened", "{\"action\": \"closed\"}");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("skipped");
  }

  @Test
  void takesFormsByteByByte() {
    var form = "payload=%7B%22action%22%3A+%22opened%22%7D&b=%c3%bc&a=1";

    var answer = deliver("default/issues/whole", form, "application/x-www-form-urlencoded");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    var input = get("/v1/runs/" + run(answer)).objectOrEmpty("input");
    assertThat(input.objectOrEmpty("payload").get("action")).isEqualTo(Value.of("opened"));
    assertThat(input.textOrEmpty("b")).isEqualTo("ü");
  }

  @Test
  void refusesStrangers() {
    var forged =
        send(
            "POST",
            "/v1/hooks/default/issues/opened",
            BODY,
            "X-Hub-Signature-256",
            "sha256=" + signature("other"));
    assertThat(forged.statusCode()).isEqualTo(401);
    assertThat(forged.body()).contains("invalid_signature");
    for (var path :
        new String[] {
          "default/issues/closed", "default/none/opened", "acme/issues/opened", "A/a/a"
        }) {
      var answer = deliver(path, BODY);
      assertThat(answer.statusCode()).as(path).isEqualTo(404);
      assertThat(answer.body()).contains("hook_not_found");
    }
    var large = deliver("default/issues/opened", "x".repeat(20_000));
    assertThat(large.statusCode()).isEqualTo(413);
    assertThat(large.body()).contains("superstep.hooks.body-max");
    assertThat(deliver("default/issues/unset", BODY).statusCode()).isEqualTo(503);
    assertThat(deliver("default/issues/opened", "no json").statusCode()).isBetween(400, 422);
    assertThat(deliver("default/issues/opened", "{\"action\": \"opened\"}").body())
        .contains("invalid_input");
  }

  @Test
  void answersTheChallengeOfSlack() {
    var now = String.valueOf(System.currentTimeMillis() / 1_000);
    var body = "{\"type\": \"url_verification\", \"challenge\": \"3eZbrw1a\"}";

    var answer =
        send(
            "POST",
            "/v1/hooks/default/issues/talk",
            body,
            "Content-Type",
            "application/json",
            "X-Slack-Request-Timestamp",
            now,
            "X-Slack-Signature",
            "v0=" + signature("v0:" + now + ":" + body));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).contains("3eZbrw1a");
  }

  @Test
  void belongsToTheNewestVersionAndToWhoHasPostedIt() {
    key("acme", "\"author\", \"runner\"");
    var graph =
        "name: teams\nchannels: { action: {}, issue: {} }\nnodes: [{ id: a, type: router }]\n";
    var hook = "triggers: { t: { webhook: { scheme: github, secret: \"secret:github\" } } }\n";
    declare(graph + hook);
    assertThat(deliver("acme/teams/t", BODY).statusCode()).isEqualTo(202);

    declare(graph);
    assertThat(deliver("acme/teams/t", BODY).statusCode()).isEqualTo(404);

    declare(graph + hook + "description: again\n");
    delivery = UUID.randomUUID().toString();
    key = "alpha";
    assertThat(json("DELETE", "/v1/keys/" + keyId, "").statusCode()).isEqualTo(204);
    assertThat(deliver("acme/teams/t", BODY).statusCode()).isEqualTo(503);
  }
}
