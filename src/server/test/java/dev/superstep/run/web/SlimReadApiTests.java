package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Reads that leave out what may be large.
@ApiTest
class SlimReadApiTests {
  private static final String WIDE =
      """
      name: slim-wide
      channels: { findings: { reducer: append } }
      nodes:
        - { id: plan, type: expression, config: { dispatch: "{{ fan_out('work', state.topics, 'task') }}" }, targets: [work] }
        - { id: work, type: expression, config: { update: { findings: "all about {{ input.task }}" } } }
      """;

  private static final String LARGE =
      """
      name: slim-large
      nodes:
        - { id: one, type: expression, config: { update: { copy: "{{ state.text }}" } }, next: two }
        - { id: two, type: expression, config: { update: { small: 1 } } }
      """;

  @LocalServerPort private int port;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(WIDE);
    api.graph(LARGE);
  }

  private String wide() {
    return api.run("slim-wide", Map.of("topics", new TreeSet<>(Set.of("a", "b", "c")))).getId();
  }

  private ObjectValue read(String path) {
    var answer = api.get(path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return (ObjectValue) Json.read(answer.body());
  }

  private ListValue items(String path) {
    return list(read(path), "items");
  }

  private static ListValue list(ObjectValue object, String member) {
    return (ListValue) object.getOr(member, Value.NULL);
  }

  private static String text(ObjectValue object, String member) {
    return ((Value.Text) object.getOr(member, Value.NULL)).value();
  }

  private static ObjectValue object(Value value) {
    return (ObjectValue) value;
  }

  @Test
  void listsTasksWithoutWhatMayBeLarge() {
    var run = wide();

    var all = items("/v1/runs/%s/tasks?node=work".formatted(run));
    var slim = items("/v1/runs/%s/tasks?node=work&without=input,change".formatted(run));

    assertThat(all.stream().map(it -> object(it).has("input") && object(it).has("change")))
        .hasSize(3)
        .containsOnly(true);
    assertThat(slim.stream().toList())
        .isEqualTo(all.stream().map(it -> object(it).minus("input").minus("change")).toList());
    assertThat(
            items("/v1/runs/%s/tasks?node=work&without=input".formatted(run)).stream()
                .map(it -> object(it).has("change")))
        .containsOnly(true);
  }

  @Test
  void answersWithMoreTasksAtATimeOnlyWithoutBothParts() {
    var run = wide();
    var path = "/v1/runs/%s/tasks?limit=".formatted(run);

    assertThat(items(path + "2000&without=input&without=change").size()).isEqualTo(4);
    for (var refused : Set.of("201", "2000&without=input", "2001&without=input,change")) {
      Api.assertProblem(api.get(path + refused), 422, "invalid_parameter");
    }
    Api.assertProblem(api.get(path + "1&without=error"), 422, "invalid_parameter");
  }

  @Test
  void pagesThroughTasksOfManySupersteps() {
    api.graph(Graphs.counter("slim-counter", 90));
    var run = api.run("slim-counter", Map.of()).getId();
    var path = "/v1/runs/%s/tasks?without=input,change&limit=".formatted(run);

    var first = read(path + "70");
    var cursor = text(first, "next_cursor");
    var rest = read(path + "70&cursor=" + cursor);

    assertThat(list(first, "items").size()).isEqualTo(70);
    assertThat(object(list(rest, "items").get(0)).get("superstep")).isEqualTo(Value.of(20L));
    assertThat(list(rest, "items").size()).isEqualTo(20);
    assertThat(rest.has("next_cursor")).isFalse();
    assertThat(items(path + "2000").size()).isEqualTo(90);
  }

  @Test
  void findsTheTaskOfADispatch() {
    var run = wide();
    var id =
        text(object(items("/v1/runs/%s/tasks?node=work".formatted(run)).get(1)), "dispatch_id");

    var found = items("/v1/runs/%s/tasks?superstep=2&node=work&dispatch_id=%s".formatted(run, id));

    assertThat(found.size()).isEqualTo(1);
    assertThat(text(object(found.get(0)), "dispatch_id")).isEqualTo(id);
    assertThat(object(found.get(0)).has("input")).isTrue();
    assertThat(items("/v1/runs/%s/tasks?dispatch_id=none".formatted(run)).size()).isZero();
  }

  @Test
  void readsARunWithoutInputAndOutput() {
    var run = wide();

    var whole = read("/v1/runs/" + run);
    var slim = read("/v1/runs/%s?without=input,output".formatted(run));

    assertThat(whole.has("input") && whole.has("output")).isTrue();
    assertThat(slim).isEqualTo(whole.minus("input").minus("output"));
    assertThat(read("/v1/runs/%s?without=output".formatted(run)).has("input")).isTrue();
    Api.assertProblem(
        api.get("/v1/runs/%s?without=usage".formatted(run)), 422, "invalid_parameter");
  }

  @Test
  void leavesLargeValuesOutOfStatesAndSaysWhichAndHowLarge() {
    var text = "é".repeat(2_000);
    var run = api.run("slim-large", Map.of("text", text)).getId();

    for (var path : Set.of("/state?", "/checkpoints/2?")) {
      var slim = read("/v1/runs/%s%svalues_max=100".formatted(run, path));
      assertThat(slim.get("state")).isEqualTo(Json.read("{\"small\": 1}"));
      var omitted = list(slim, "omitted");
      assertThat(omitted.stream().map(it -> object(it).get("channel")))
          .containsExactly(Value.of("copy"), Value.of("text"));
      var copy = object(omitted.get(0));
      assertThat(copy.get("size")).isEqualTo(Value.of(4_002L));
      assertThat(copy.get("hash")).isEqualTo(object(omitted.get(1)).get("hash"));
      assertThat(copy.get("begin")).isEqualTo(Value.of("\"" + "é".repeat(999)));
    }
    assertThat(read("/v1/runs/%s/state?values_max=4002".formatted(run)).get("omitted"))
        .isEqualTo(ListValue.of());
    assertThat(read("/v1/runs/%s/state".formatted(run)).has("omitted")).isFalse();
  }

  @Test
  void readsSingleChannelsOfAState() {
    var run = api.run("slim-large", Map.of("text", "words")).getId();

    assertThat(read("/v1/runs/%s/state?channel=copy&channel=none".formatted(run)).get("state"))
        .isEqualTo(Json.read("{\"copy\": \"words\"}"));
    assertThat(read("/v1/runs/%s/state?checkpoint=0&channel=copy".formatted(run)).get("state"))
        .isEqualTo(Json.read("{}"));
  }

  @Test
  void readsACheckpointWithoutItsChanges() {
    var run = api.run("slim-large", Map.of("text", "words")).getId();

    var whole = read("/v1/runs/%s/checkpoints/1".formatted(run));

    assertThat(whole.has("changes")).isTrue();
    assertThat(read("/v1/runs/%s/checkpoints/1?without=changes".formatted(run)))
        .isEqualTo(whole.minus("changes"));
  }
}
