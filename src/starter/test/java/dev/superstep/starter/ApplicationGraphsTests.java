package dev.superstep.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.superstep.definition.AuthorText.Format;
import dev.superstep.definition.Codes;
import dev.superstep.definition.GraphVersion;
import dev.superstep.definition.Validation;
import dev.superstep.definition.read.DefinitionText;
import dev.superstep.graph.Violation;
import dev.superstep.json.Yaml;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeFunction;
import dev.superstep.node.spec.GraphDefinition;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.testing.LocalReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

class ApplicationGraphsTests {
  private static final LocalReader READER = LocalReader.open();

  /// Definitions in long form.
  private final Map<String, ObjectValue> stored = new LinkedHashMap<>();

  private final ApplicationGraphs graphs =
      new ApplicationGraphs(this::check, this::post, this::whole);

  private void whole(Runnable work) {
    var before = Map.copyOf(stored);
    try {
      work.run();
    } catch (IllegalStateException e) {
      stored.clear();
      stored.putAll(before);
      throw e;
    }
  }

  private Validation check(DefinitionText text) {
    var read = READER.texts().read(text);
    var errors = new ArrayList<>(read.errors());
    var nodes = read.definition().listOrEmpty("nodes").items(ObjectValue.class).toList();
    for (int i = 0; i < nodes.size(); i++) {
      var called = nodes.get(i).objectOrEmpty("config").findText("graph");
      if (called.filter(it -> !stored.containsKey(it)).isPresent()) {
        errors.add(
            Violation.of("/nodes/%d/config/graph".formatted(i), Codes.UNKNOWN_GRAPH, "no graph"));
      }
    }
    return new Validation(errors, read.warnings(), read.definition());
  }

  private Optional<GraphVersion> post(DefinitionText text) {
    var definition = check(text).definition();
    var name = definition.text("name");
    var before = stored.put(name, definition);
    return definition.equals(before)
        ? Optional.empty()
        : Optional.of(
            new GraphVersion(name, 1, "", Instant.EPOCH, Optional.empty(), List.of(), definition));
  }

  private static GraphDefinition greeting(String text) {
    return GraphDefinition.of(
        "greeting", graph -> graph.expression("greet", it -> it.update(Map.of("text", text))));
  }

  private static GraphDefinition calling(String name, String called) {
    return GraphDefinition.of(name, graph -> graph.subgraph("call", it -> it.graph(called)));
  }

  @Test
  void storesThoseThatAreCalledFirst() {
    graphs.store(
        Map.of(
            "a", calling("outer", "middle"),
            "b", calling("middle", "greeting"),
            "c", greeting("hi")));

    assertThat(stored.keySet()).containsExactly("greeting", "middle", "outer");
  }

  @Test
  void namesBeanNodeAndKeyOfEachMistake() {
    var wrong =
        GraphDefinition.of(
            "wrong",
            graph ->
                graph
                    .channels("a", it -> it.reducer("apend"))
                    .function("price", it -> it.function("prise"), it -> it.next("nobody")));

    assertThatIllegalStateException()
        .isThrownBy(() -> graphs.store(Map.of("wrongBean", wrong, "greeting", greeting("hi"))))
        .withMessageContaining("bean 'wrongBean', node 'price', config.function: ")
        .withMessageContaining("no function 'prise'")
        .withMessageContaining("bean 'wrongBean', node 'price', next.0: there is no node 'nobody'")
        .withMessageContaining("bean 'wrongBean', channels.a.reducer: 'apend' is unknown");
    assertThat(stored).as("nothing is stored beside what has errors").isEmpty();
  }

  @Test
  void namesNodesOfInlineGraphs() {
    var wrong =
        GraphDefinition.of(
            "wrong",
            graph ->
                graph
                    .graphs("inner", it -> it.expression("in", in -> in.update("{{ state.x")))
                    .subgraph("call", it -> it.graph("#inner")));

    assertThatIllegalStateException()
        .isThrownBy(() -> graphs.store(Map.of("wrongBean", wrong)))
        .withMessageContaining("bean 'wrongBean', graph '#inner', node 'in', config.update");
  }

  @Test
  void refusesGraphsThatCallEachOther() {
    assertThatIllegalStateException()
        .isThrownBy(
            () -> graphs.store(Map.of("a", calling("one", "two"), "b", calling("two", "one"))))
        .withMessageContaining("bean 'a', node 'call', config.graph: no graph (unknown_graph)")
        .withMessageContaining("bean 'b'");
    assertThat(stored).isEmpty();
  }

  @Test
  void storesNoneBesideOneThatCallsNobody() {
    assertThatIllegalStateException()
        .isThrownBy(
            () -> graphs.store(Map.of("a", greeting("hi"), "b", calling("outer", "greetin"))))
        .withMessageContaining("bean 'b', node 'call', config.graph");
    assertThat(stored).isEmpty();
  }

  @Test
  void refusesTwoBeansOfOneGraph() {
    assertThatIllegalStateException()
        .isThrownBy(() -> graphs.store(Map.of("a", greeting("hi"), "b", greeting("ho"))))
        .withMessageContaining("both define graph 'greeting'");
  }

  @Test
  void hasFunctionsThatAreGivenWithinGraphs() {
    NodeFunction tax = (_, _, _) -> FunctionResult.done();
    var graph =
        GraphDefinition.of("selling", it -> it.function("tax", config -> config.function(tax)));
    var application = new StaticListableBeanFactory(new HashMap<>(Map.of("graph", graph)));

    assertThat(ApplicationBeans.of(application)).containsEntry("selling.tax", tax);

    application.addBean("selling.tax", tax);
    assertThatIllegalStateException()
        .isThrownBy(() -> ApplicationBeans.of(application))
        .withMessageContaining("'selling.tax' has the name of a function");
  }

  @Test
  void storesWhatAnAuthorCouldHavePosted() {
    graphs.store(Map.of("a", greeting("hi")));

    var posted =
        READER
            .texts()
            .read(
                new DefinitionText(
                    """
                    name: greeting
                    nodes: [{ id: greet, type: expression, config: { update: { text: hi } } }]
                    """
                        .getBytes(StandardCharsets.UTF_8),
                    Format.YAML));
    assertThat(stored.get("greeting")).isEqualTo(posted.definition());
    assertThat(Yaml.read(greeting("hi").yaml())).isEqualTo(greeting("hi").definition());
  }
}
