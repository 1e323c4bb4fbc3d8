package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.json.Json;
import dev.superstep.state.Channels;
import dev.superstep.state.value.ObjectValue;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfiguredNodeTypeTests {
  private static final GraphOutline GRAPH = new GraphOutline(Channels.none(), Set.of());
  private final HumanNodeType type = new HumanNodeType(TestCall.EXPRESSIONS);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                             | false | false
          {"result": {"update": {}}}     | false | false
          {"result": {"goto": ["a"]}}    | true  | false
          {"result": {"dispatch": []}}   | true  | true
          {"result": "{{ response }}"}   | true  | false
          """)
  void seesInTheNodeResultWhereItMayLead(String config, boolean routes, boolean empty) {
    var written = (ObjectValue) Json.read(config);

    assertThat(type.mayRoute(written)).isEqualTo(routes);
    assertThat(type.mayBeEmpty(written)).isEqualTo(empty);
  }

  @Test
  void seesInTheNodeResultWhatItWrites() {
    var node = TestCall.node("human", "{\"result\": {\"update\": {\"c\": 1}}}");
    assertThat(type.writes(node, GRAPH)).isEqualTo(WrittenChannels.named("c"));

    var router = new RouterNodeType(TestCall.EXPRESSIONS);
    assertThat(router.writes(TestCall.node("router", "{}"), GRAPH))
        .isEqualTo(WrittenChannels.NOTHING);
  }

  @Test
  void takesTheDefaultsOfItsSchema() {
    var config = type.config(TestCall.node("human", "{}"), GRAPH);

    assertThat(config.isText("on_expiry", "fail")).isTrue();
    assertThat(config.text("answer_to")).isEmpty();
  }
}
