package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.Value;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Tools that a definition declares.
@AgentTest
class DefinedToolApiTests {
  @LocalServerPort int port;
  @Autowired Script script;
  @Autowired ToolServer server;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  private static String graph(String name, String url) {
    return """
    name: %s
    channels: { messages: { reducer: messages } }
    tools:
      find:
        url: "%s"
        method: GET
        description: Finds a thing.
        parameters: { type: object, properties: { thing: { type: string }, lang: { type: string } }, required: [thing] }
        headers: { Authorization: "Bearer secret:canary", X-Plain: yes it is }
    nodes:
      - { id: llm, type: llm, config: { tools: [find] } }
      - { id: tools, type: tool, config: { tools: [find] } }
    edges:
      - { from: __start__, to: llm }
      - { from: llm, to: tools }
    """
        .formatted(name, url);
  }

  private Value call(String tag, String url) {
    service.graph(graph(tag, url));
    script.says(
        tag,
        Reply.calls(
            new Reply.Call("c1", "find", "{\"thing\":\"%s\",\"lang\":\"fr\"}".formatted(tag))));
    return service.say(tag, "#" + tag);
  }

  @Test
  void callsAToolOfTheGraphWithASecretThatIsReleased() {
    var run = call("defined", server.url() + "/lookup/{thing}");

    assertThat(Service.text(run, "/output/messages/2/content")).isEqualTo("looked up");
    assertThat(script.asked("defined").getFirst().tools().toString()).contains("Finds a thing.");
    var arrival = server.arrivals("/lookup/defined").getFirst();
    assertThat(arrival.path()).isEqualTo("/lookup/defined?lang=fr");
    assertThat(arrival.authorization()).isEqualTo("Bearer " + AgentTest.CANARY);
    assertThat(arrival.key()).hasSizeGreaterThan(10);
  }

  /// A secret is only for the hosts that the operator names.
  @Test
  void sendsASecretToNoOtherHost() {
    var run = call("elsewhere", server.url().replace("127.0.0.1", "localhost") + "/lookup/{thing}");

    assertThat(Service.text(run, "/output/messages/2/content"))
        .contains("secret 'canary' may not be sent to http://localhost");
    assertThat(server.arrivals("/lookup/elsewhere")).isEmpty();
  }

  /// What a model says must not lead to another path than the author's.
  @Test
  void keepsToItsPath() {
    service.graph(graph("climbing", server.url() + "/lookup/{thing}/draft"));
    script.says("climbing", Reply.calls(new Reply.Call("c1", "find", "{\"thing\":\"..\"}")));

    var run = service.say("climbing", "#climbing");

    assertThat(Service.text(run, "/output/messages/2/content")).contains("'thing' must not be");
  }

  @Test
  void reachesNoPrivateAddress() {
    service.graph(graph("private", "http://10.1.2.3/{thing}").replace("Bearer secret:canary", "x"));
    script.says("private", Reply.calls(new Reply.Call("c1", "find", "{\"thing\":\"x\"}")));

    var run = service.say("private", "#private");

    assertThat(Service.text(run, "/output/messages/2/content")).contains("10.1.2.3");
    assertThat(Service.at(run, "/output/messages/2/is_error")).isEqualTo(Value.TRUE);
  }

  @Test
  void saysWhatIsWrongWithATool() {
    assertThat(
            service.problems(
                """
                name: defined-wrong
                tools:
                  host: { url: "https://{host}/x" }
                  brace: { url: "https://example.org/{1x}" }
                  scheme: { url: "ftp://example.org" }
                  secret: { url: "https://example.org", headers: { X-Key: "secret:nothing" } }
                  schema: { url: "https://example.org", parameters: { type: nonsense } }
                  header: { url: "https://example.org", headers: { Host: example.com } }
                nodes: [ { id: a, type: router } ]
                edges: [ { from: __start__, to: a } ]
                """))
        .containsOnly(
            "invalid_value /tools/host/url",
            "invalid_value /tools/brace/url",
            "invalid_value /tools/scheme/url",
            "unknown_secret /tools/secret/headers/X-Key",
            "invalid_schema /tools/schema/parameters/type",
            "invalid_value /tools/header/headers/Host");
  }
}
