package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// E33: what lists the tasks of a superstep, its questions or its results lists them in task order,
/// whatever order they ended in.
@AgentTest
class TaskOrderApiTests {
  private static final List<String> ITEMS =
      List.of("b", "a", "d", "c", "broken", "f", "e", "h", "g");

  @LocalServerPort int port;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
    service.graph(
        """
        name: order-asks
        channels: { said: { reducer: append } }
        nodes:
          - id: plan
            type: expression
            config: { dispatch: "{{ state.tasks.map(t, {'node': t.node, 'input': {'item': t.item}}) }}" }
            targets: [second, first]
          - { id: second, type: function, config: { function: asker } }
          - { id: first, type: function, config: { function: asker } }
        edges: [{ from: __start__, to: plan }]
        """);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 13})
  void listsInTaskOrderWhateverOrderTasksEndIn(long seed) {
    var random = new Random(seed);
    var sent = shuffled(ITEMS, random);
    var ends = shuffled(ITEMS, random);
    var input =
        "{\"order\": %s, \"tasks\": [%s]}"
            .formatted(
                ListValue.texts(ends.toArray(String[]::new)),
                String.join(",", sent.stream().map(TaskOrderApiTests::task).toList()));
    // Nodes as they are declared, then dispatches as they were sent.
    var tasks = new ArrayList<>(sent.stream().filter(TaskOrderApiTests::isSecond).toList());
    tasks.addAll(sent.stream().filter(Predicate.not(TaskOrderApiTests::isSecond)).toList());

    var run = service.run("order-asks", (ObjectValue) Json.read(input));

    assertOrder("seed %d, at first".formatted(seed), run, tasks, tasks);
    var answered = Service.text(run, "/interrupts/3/payload");
    service.post(
        "/v1/interrupts/%s/answer?wait=30s".formatted(Service.text(run, "/interrupts/3/id")),
        ObjectValue.of("value", Value.TRUE));
    var rest = tasks.stream().filter(it -> !it.equals(answered)).toList();
    var after = service.get("/v1/runs/" + Service.text(run, "/id"));
    assertOrder("seed %d, after an answer".formatted(seed), after, tasks, rest);
  }

  private void assertOrder(String as, Value run, List<String> tasks, List<String> unanswered) {
    var asking = unanswered.stream().filter(it -> !it.equals("broken")).toList();
    var path = "/v1/runs/" + Service.text(run, "/id");
    var checkpoint =
        service.get(path + "/checkpoints/" + ((Value.Int) Service.at(run, "/checkpoint")).value());

    assertThat(texts(run, "/interrupts", "/payload")).as(as).isEqualTo(asking);
    assertThat(texts(checkpoint, "/interrupts", "/payload")).as(as).isEqualTo(asking);
    assertThat(texts(checkpoint, "/pending_results", "/input/item")).as(as).isEqualTo(tasks);
    assertThat(texts(service.get(path + "/tasks?superstep=2"), "/items", "/input/item"))
        .as(as)
        .isEqualTo(tasks);
  }

  private static List<String> texts(Value from, String list, String pointer) {
    return ((ListValue) Service.at(from, list))
        .stream().map(it -> Service.text(it, pointer)).toList();
  }

  private static List<String> shuffled(List<String> items, Random random) {
    var shuffled = new ArrayList<>(items);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  private static boolean isSecond(String item) {
    return ITEMS.indexOf(item) % 2 == 0;
  }

  private static String task(String item) {
    return "{\"node\": \"%s\", \"item\": \"%s\"}"
        .formatted(isSecond(item) ? "second" : "first", item);
  }
}
