package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// The tasks of a run, counted by the service: what they are in all is what the list of tasks has.
@ApiTest
class NodeCountApiTests {
  private static final String WIDE =
      """
      name: counted-wide
      nodes:
        - { id: plan, type: expression, config: { dispatch: "{{ fan_out('work', state.topics, 'task') }}" }, targets: [work] }
        - { id: work, type: expression, config: { update: { last: "{{ 1 / input.task }}" } }, on_error: continue, next: ask }
        - { id: ask, type: human, config: { payload: "Well?" } }
      channels: { last: { reducer: append } }
      """;

  private static final String LOOP =
      """
      name: counted-loop
      channels: { count: { reducer: sum, default: 0 } }
      limits: { max_supersteps: 5000 }
      nodes:
        - { id: add, type: expression, config: { update: { count: 1 } }, switch: [{ when: "state.count < state.until", to: check }] }
        - { id: check, type: router, next: add }
      """;

  @LocalServerPort private int port;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(WIDE);
    api.graph(LOOP);
  }

  private ObjectValue read(String path) {
    var answer = api.get(path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return (ObjectValue) Json.read(answer.body());
  }

  private static List<ObjectValue> items(ObjectValue of, String member) {
    return ((ListValue) of.getOr(member, ListValue.empty()))
        .stream().map(ObjectValue.class::cast).toList();
  }

  private static String text(ObjectValue of, String member) {
    return of.get(member) instanceof Value.Text(var text) ? text : "";
  }

  private static int number(Value value) {
    return Math.toIntExact(((Value.Int) value).value());
  }

  /// By node and status.
  private Map<String, Integer> listed(String run) {
    var counts = new TreeMap<String, Integer>();
    for (var page = read("/v1/runs/%s/tasks?without=input,change&limit=2000".formatted(run)); ; ) {
      items(page, "items")
          .forEach(
              it -> counts.merge(text(it, "node") + " " + text(it, "status"), 1, Integer::sum));
      var next = text(page, "next_cursor");
      if (next.isEmpty()) {
        return counts;
      }
      page =
          read("/v1/runs/%s/tasks?without=input,change&limit=2000&cursor=%s".formatted(run, next));
    }
  }

  /// The same, as the service counts them; how many answers it took stands under `answers`.
  private Map<String, Integer> counted(String run, String query) {
    var counts = new TreeMap<String, Integer>();
    for (var page = read("/v1/runs/%s/nodes?%s".formatted(run, query)); ; ) {
      counts.merge("answers", 1, Integer::sum);
      for (var member : List.of("committed", "open")) {
        for (var node : items(page, member)) {
          ((ObjectValue) node.getOr("statuses", ObjectValue.empty()))
              .forEach((status, count) ->
                  counts.merge(text(node, "node") + " " + status, number(count), Integer::sum));
        }
      }
      var next = text(page, "next_cursor");
      if (next.isEmpty()) {
        return counts;
      }
      page = read("/v1/runs/%s/nodes?%s&cursor=%s".formatted(run, query, next));
    }
  }

  @Test
  void countsWhatTheListHas() {
    var topics = IntStream.range(0, 60).boxed().toList();
    var run = api.run("counted-wide", Map.of("topics", topics)).getId();

    var counted = counted(run, "");

    assertThat(counted)
        .containsEntry("work succeeded", 59)
        .containsEntry("work handled", 1)
        .containsEntry("ask interrupted", 1)
        .containsEntry("plan succeeded", 1);
    counted.remove("answers");
    assertThat(counted).isEqualTo(listed(run));
    var work =
        items(read("/v1/runs/%s/nodes".formatted(run)), "committed").stream()
            .filter(it -> text(it, "node").equals("work"))
            .findFirst()
            .orElseThrow();
    assertThat(number(work.getOr("tasks", Value.NULL))).isEqualTo(60);
    assertThat(text(work, "failed_task")).startsWith("2:work:");
    assertThat(text(work, "failed_code")).isEqualTo("expression_failed");
  }

  /// Every node shows the superstep in which it ran last; answers end, and go on with a cursor.
  @Test
  void countsLongRunsInSeveralAnswers() {
    var run = api.run("counted-loop", Map.of("until", 1_100)).getId();

    var counted = counted(run, "");

    assertThat(counted.remove("answers")).isEqualTo(2);
    assertThat(counted).isEqualTo(listed(run)).containsEntry("add succeeded", 1_100);
    var first = items(read("/v1/runs/%s/nodes".formatted(run)), "committed");
    assertThat(first)
        .filteredOn(it -> text(it, "node").equals("add"))
        .singleElement()
        .satisfies(it -> {
          assertThat(it.get("newest")).isEqualTo(Json.read("{\"succeeded\": 1}"));
          assertThat(it.get("superstep")).isEqualTo(Value.of(2_199));
        });
  }

  @Test
  void countsWhatHasComeSince() {
    var run = api.run("counted-loop", Map.of("until", 5)).getId();

    assertThat(counted(run, "after=6"))
        .containsEntry("add succeeded", 2)
        .containsEntry("check succeeded", 1);
    assertThat(counted(run, "after=9")).containsOnlyKeys("answers");
    assertThat(api.get("/v1/runs/none/nodes").statusCode()).isEqualTo(404);
    assertThat(api.get("/v1/runs/%s/nodes?cursor=x".formatted(run)).statusCode()).isEqualTo(422);
  }
}
