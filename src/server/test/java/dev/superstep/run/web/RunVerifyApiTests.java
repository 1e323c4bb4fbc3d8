package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.net.http.HttpResponse;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// `GET /v1/runs/{id}/verify`.
@ApiTest
class RunVerifyApiTests {
  @LocalServerPort private int port;
  @Autowired private DataSource database;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(Graphs.counter("verify-counter", 3));
  }

  private HttpResponse<String> verify(String run, String query) {
    return api.get("/v1/runs/%s/verify%s".formatted(run, query));
  }

  @Test
  void verifiesARunAndTheHeadOfAnEarlierAnswer() {
    var run = api.run("verify-counter", Map.of()).getId();

    var answer = verify(run, "");

    assertThat(Api.at(answer, "/verified")).isEqualTo(Value.TRUE);
    assertThat(Api.at(answer, "/broken")).isEqualTo(ListValue.empty());
    assertThat(Api.at(answer, "/not_chained")).isEqualTo(Value.of(0L));
    assertThat(Api.at(answer, "/erased")).isEqualTo(Value.of(0L));
    assertThat(Api.at(answer, "/next_cursor")).isEqualTo(Value.NULL);
    var last = ((Value.Int) Api.at(answer, "/checkpoints")).value() - 1;
    var head = ((Value.Text) Api.at(answer, "/head")).value();
    assertThat(head).matches(last + "-[0-9a-f]{64}");
    assertThat(Api.at(verify(run, "?head=" + head), "/verified")).isEqualTo(Value.TRUE);
    var other = verify(run, "?head=" + last + "-" + "0".repeat(64));
    assertThat(Api.at(other, "/verified")).isEqualTo(Value.of(false));
    assertThat(Api.at(other, "/broken/0/where")).isEqualTo(Value.of("head"));
  }

  @Test
  void namesARowThatWasChanged() {
    var run = api.run("verify-counter", Map.of()).getId();
    JdbcClient.create(database)
        .sql(
            """
            update checkpoint set committed_at = committed_at - interval '1 day'
             where run = ? and number = 1
            """)
        .param(run)
        .update();

    var answer = verify(run, "");

    assertThat(Api.at(answer, "/verified")).isEqualTo(Value.of(false));
    assertThat(Api.at(answer, "/broken"))
        .isEqualTo(Json.read("[{\"what\":\"changed\",\"where\":\"checkpoint\",\"row\":\"1\"}]"));
  }

  @Test
  void refusesWhatIsNoRunHeadOrCursor() {
    var run = api.run("verify-counter", Map.of()).getId();
    Api.assertProblem(api.get("/v1/runs/none/verify"), 404, "run_not_found");
    Api.assertProblem(api.get("/v1/runs/" + run + "/verify?head=1"), 422, "invalid_parameter");
    Api.assertProblem(api.get("/v1/runs/" + run + "/verify?cursor=1"), 422, "invalid_parameter");
  }
}
