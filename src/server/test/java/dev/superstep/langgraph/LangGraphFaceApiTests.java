package dev.superstep.langgraph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What all calls of the face have in common.
@ApiTest
class LangGraphFaceApiTests {
  @LocalServerPort private int port;
  private FaceClient face = new FaceClient(0);

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
  }

  @Test
  void saysThatItIsThereAndWhatItHas() {
    assertThat(face.get("/ok").ok().text()).isEqualTo("{\"ok\":true}");
    var info = face.get("/info").ok();
    assertThat(info.at("/version")).isNotEmpty();
    assertThat(info.at("/flags"))
        .isEqualTo("{\"assistants\":true,\"crons\":true,\"langsmith\":false}");
  }

  @Test
  void ignoresQueryParametersThatItDoesNotKnow() {
    face.get("/ok?check_db=1").ok();
  }

  @Test
  void writesErrorsAsItsClientsReadThem() {
    var reply = face.get("/nothing-here").is(404, "not_found");
    assertThat(reply.at("/message")).isEqualTo(reply.at("/detail")).isNotEmpty();
    assertThat(reply.at("/error")).isEqualTo("Not found");
    assertThat(face.send("GET", "/v1/nothing-here", null).header("Content-Type"))
        .isEqualTo("application/problem+json");
  }

  @Test
  void hasADocumentOfItsOwn() {
    var document = face.send("GET", "/v3/api-docs/langgraph", null).ok();
    assertThat(document.text()).contains("langGraphInfo");
    assertThat(document.at("/paths/~1langgraph~1info/get/operationId")).isEqualTo("langGraphInfo");
    assertThat(document.text()).doesNotContain("\"/v1/runs\"");
    assertThat(face.send("GET", "/v3/api-docs", null).ok().text())
        .doesNotContain("/langgraph")
        .contains("\"/v1/runs\"");
  }

  @Test
  void namesWhatToCallInsteadOfWhatItDoesNotHave() {
    assertThat(face.get("/threads/t/stream").is(501, "not_implemented").text())
        .contains("/stream/events");
    assertThat(face.patch("/threads/t/state", "{}").is(501, "not_implemented").text())
        .contains("PATCH /threads/{id}");
  }
}
