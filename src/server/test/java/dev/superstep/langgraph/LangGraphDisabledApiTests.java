package dev.superstep.langgraph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.SuperstepApplication;
import dev.superstep.database.TestDatabase;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

/// A service that does not answer clients of the LangGraph Agent Server.
@SpringBootTest(
    classes = SuperstepApplication.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {"management.server.port=0", "superstep.langgraph.enabled=false"})
@Import(TestDatabase.class)
class LangGraphDisabledApiTests {
  @LocalServerPort private int port;

  @Test
  void knowsNoneOfItsPaths() {
    var face = new FaceClient(port);
    assertThat(face.get("/ok").status()).isEqualTo(404);
    assertThat(face.get("/info").status()).isEqualTo(404);
    assertThat(face.post("/threads", "{}").status()).isEqualTo(404);
    assertThat(face.send("GET", "/v3/api-docs/langgraph", null).status()).isEqualTo(404);
    assertThat(face.send("GET", "/v1/threads", null).status()).isEqualTo(200);
  }
}
