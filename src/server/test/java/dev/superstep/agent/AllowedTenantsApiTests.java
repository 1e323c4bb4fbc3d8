package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.SuperstepApplication;
import dev.superstep.database.TestDatabase;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.langgraph.FaceClient.Reply;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

/// A model and a tool of one tenant are used by graphs of that tenant only, whatever the names of
/// others' graphs.
@SpringBootTest(
    classes = SuperstepApplication.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      "superstep.api-keys=alpha",
      "superstep.tenants.enabled=true",
      "superstep.models.one.provider=stub",
      "superstep.models.one.model=one-1",
      "superstep.models.one.script[0].say=fine",
      "superstep.models.one.graphs=acme/*",
      "superstep.tools.http.find.url=http://127.0.0.1:1/x",
      "superstep.tools.policies[0].tools=find",
      "superstep.tools.policies[0].graphs=acme/pay"
    })
@Import(TestDatabase.class)
class AllowedTenantsApiTests {
  private static final String PAY =
      """
      name: pay
      channels: { said: {} }
      nodes: [{ id: ask, type: llm, config: { prompt: hello, tools: [find], output_to: said } }]
      edges: [{ from: __start__, to: ask }]
      """;

  @LocalServerPort private int port;

  private Reply call(String key, String path, String type, String body) {
    return new FaceClient(port)
        .send("POST", path, body, "Authorization", "Bearer " + key, "Content-Type", type);
  }

  private Reply runs(String key) {
    assertThat(call(key, "/v1/graphs", "application/yaml", PAY).status()).isIn(200, 201);
    var start = "{\"graph\": \"pay\", \"input\": {}}";
    return call(key, "/v1/runs?wait=30s", "application/json", start);
  }

  private String key(String tenant) {
    var body =
        "{\"name\": \"%1$s\", \"tenant\": \"%1$s\", \"roles\": [\"admin\"]}".formatted(tenant);
    return call("alpha", "/v1/keys", "application/json", body).at("/secret");
  }

  @Test
  void servesTheTenantThatTheOperatorNames() {
    assertThat(runs(key("acme")).at("/output/said")).isEqualTo("fine");
    for (var other : new String[] {"alpha", key("globex")}) {
      var run = runs(other);
      assertThat(run.at("/status")).isEqualTo("failed");
      assertThat(run.at("/error/code")).isIn("model_not_allowed", "tool_not_allowed");
    }
  }

  @Test
  void servesAModelToNoOtherTenant() {
    var plain = PAY.replace("tools: [find], ", "").replace("name: pay", "name: plain");
    for (var other : new String[] {"alpha", key("initech")}) {
      assertThat(call(other, "/v1/graphs", "application/yaml", plain).status()).isIn(200, 201);
      var start = "{\"graph\": \"plain\", \"input\": {}}";
      var run = call(other, "/v1/runs?wait=30s", "application/json", start);
      assertThat(run.at("/error/code")).as(run.text()).isEqualTo("model_not_allowed");
    }
  }
}
