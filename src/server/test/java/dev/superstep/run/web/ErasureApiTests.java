package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.client.model.AnswerInterrupt;
import dev.superstep.client.model.Run;
import dev.superstep.client.model.Run.StatusEnum;
import dev.superstep.client.model.StartRun;
import dev.superstep.http.ApiTest;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Erasing a run or a thread leaves nothing of what clients have sent, in no table; and the report
/// on storage.
@ApiTest
class ErasureApiTests {
  /// Says which id was erased by whom, and nothing of what it held.
  private static final String LOG = "audit_event";

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(Graphs.question("erasure-question"));
    api.graph(Graphs.sleeper("erasure-sleeper"));
    api.graph(Graphs.counter("erasure-counter", 1));
    api.graph(
        """
        name: erasure-parent
        nodes:
          - { id: ask, type: subgraph, config: { graph: erasure-question, input: { word: "{{ state.word }}" } } }
        edges:
          - { from: __start__, to: ask }
        """);
  }

  private static String word() {
    return "planted" + UUID.randomUUID().toString().substring(0, 8);
  }

  private StartRun request(String graph, String word) {
    return Api.start(graph, Map.of("word", word)).metadata(Map.of("note", word));
  }

  private Run answered(StartRun request, String word) {
    var run = api.runs.startRun(request, UUID.randomUUID().toString(), "30s");
    assertThat(run.getStatus()).isEqualTo(StatusEnum.INTERRUPTED);
    var question = run.getInterrupts().getFirst().getId();
    return api.interrupts.answerInterrupt(question, new AnswerInterrupt().value(word), null, "30s");
  }

  @Test
  void erasesARunFromAllTables() {
    var word = word();
    var run = answered(request("erasure-question", word), word);
    assertThat(run.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(tablesWith(word)).contains("run_input", "checkpoint", "interrupt");

    api.runs.deleteRun(run.getId());

    assertThat(tablesWith(word)).isEmpty();
    // So that a repeated call starts nothing: the id of the run, for a day.
    assertThat(tablesWith(run.getId())).isSubsetOf(Set.of("idempotency_key", LOG));
  }

  @Test
  void erasesWhatARunHasBegun() {
    var word = word();
    var parent = api.runs.startRun(request("erasure-parent", word), null, "30s");
    var question = parent.getInterrupts().getFirst().getId();
    api.interrupts.answerInterrupt(question, new AnswerInterrupt().value(word), null, "30s");
    assertThat(api.runs.getRun(parent.getId(), null, "30s").getStatus())
        .isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(api.get("/v1/runs?parent=" + parent.getId()).body()).contains("erasure-question");

    api.runs.deleteRun(parent.getId());

    assertThat(tablesWith(word)).isEmpty();
  }

  @Test
  void erasesTheTimerOfACancelledRun() {
    var word = word();
    var run = api.runs.startRun(request("erasure-sleeper", word), null, "5s");
    api.runs.cancelRun(run.getId(), null, "30s");

    api.runs.deleteRun(run.getId());

    assertThat(tablesWith(word)).isEmpty();
    assertThat(tablesWith(run.getId())).isSubsetOf(Set.of(LOG));
  }

  /// More runs than one transaction erases.
  @Test
  void erasesAThreadInSteps() {
    var word = word();
    var thread = "t-" + UUID.randomUUID();
    var run = answered(request("erasure-question", word).threadId(thread), word);
    jdbc.sql(
            """
            insert into run (id, graph, version, status, thread_id, ordinal, finished_at)
            select :thread || '-' || number, graph, version, 'succeeded', thread_id,
                   ordinal + number, now()
              from run, generate_series(1, 250) as number where id = :run
            """)
        .param("thread", thread)
        .param("run", run.getId())
        .update();

    api.threads.deleteThread(thread);

    assertThat(tablesWith(word)).isEmpty();
    assertThat(tablesWith(thread)).isSubsetOf(Set.of(LOG));
    Api.assertRefused(() -> api.threads.getThread(thread), 404, "thread_not_found");
  }

  @Test
  void reportsWhatGraphsTake() {
    api.runs.startRun(Api.start("erasure-counter", Map.of()), null, "30s");

    var answer = api.get("/v1/storage");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .contains("\"estimated\":false")
        .containsPattern(
            "\"graph\":\"erasure-counter\",\"runs\":1,\"active\":0,\"checkpoints\":[2-9],"
                + "\"events\":[0-9]+,\"bytes\":[0-9]{3,}");
  }

  /// The tables that have a row with this text: as text, or within bytes.
  private Set<String> tablesWith(String text) {
    var hex = HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    var found = new HashSet<String>();
    var tables =
        jdbc.sql(
                "select table_name from information_schema.tables"
                    + " where table_schema = 'public' and table_type = 'BASE TABLE'")
            .query(String.class)
            .list();
    for (var table : tables) {
      var rows =
          jdbc.sql(
                  "select count(*) from %s as it where it::text like :text or it::text like :hex"
                      .formatted(table))
              .param("text", "%" + text + "%")
              .param("hex", "%" + hex + "%")
              .query(Long.class)
              .single();
      if (rows > 0) {
        found.add(table);
      }
    }
    return found;
  }
}
