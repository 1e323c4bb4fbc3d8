package dev.superstep.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.GraphParams.Operator;
import dev.superstep.definition.GraphParams.Param;
import dev.superstep.graph.Violation;
import dev.superstep.graph.Violations;
import dev.superstep.json.Json;
import dev.superstep.json.Schemas;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GraphParamsTests {
  private static final ValueCheck NUMBER = Schemas.compile(object("{\"type\": \"number\"}"));
  private final Violations violations = new Violations();

  @Test
  void preferTheRunOverTheOperatorOverTheDefault() {
    var params =
        params(
            Map.of(
                "a", standard("\"default\""),
                "b", standard("\"default\""),
                "c", standard("\"default\"")));
    var pinned = pin(params, "{\"a\": \"asked\"}", Map.of("a", "operator's", "b", "operator's"));
    assertThat(pinned)
        .isEqualTo(object("{\"a\": \"asked\", \"b\": \"operator's\", \"c\": \"default\"}"));
    assertThat(errors()).isEmpty();
  }

  @Test
  void readSettingsAsTheSchemaAllows() {
    var params =
        params(
            Map.of(
                "text", new Param(ValueCheck.NONE, Optional.empty()),
                "number", new Param(NUMBER, Optional.empty()),
                "list",
                    new Param(Schemas.compile(object("{\"type\": \"array\"}")), Optional.empty())));
    var pinned = pin(params, "{}", Map.of("text", "5", "number", "5", "list", "[\"x\"]"));
    assertThat(pinned).isEqualTo(object("{\"text\": \"5\", \"number\": 5, \"list\": [\"x\"]}"));
    assertThat(errors()).isEmpty();
  }

  @Test
  void nameTheSettingThatDoesNotFit() {
    pin(params(Map.of("n", new Param(NUMBER, Optional.of(Value.of(1))))), "{}", Map.of("n", "one"));
    assertThat(errors())
        .singleElement()
        .satisfies(it -> {
          assertThat(it.pointer()).isEqualTo("/params/n");
          assertThat(it.code()).isEqualTo("invalid_value");
          assertThat(it.message()).contains("superstep.params.g.n");
        });
  }

  @Test
  void reportEveryValueThatIsMissingUnknownOrWrong() {
    var params =
        params(
            Map.of(
                "needed", new Param(ValueCheck.NONE, Optional.empty()),
                "n", new Param(NUMBER, Optional.empty())));
    pin(params, "{\"n\": \"x\", \"m\": 1}", Map.of());
    assertThat(errors())
        .extracting(it -> it.pointer() + " " + it.code())
        .containsExactlyInAnyOrder(
            "/params/m unknown_field", "/params/n invalid_value", "/params/needed missing_field");
    assertThat(errors())
        .anySatisfy(it -> assertThat(it.message()).contains("superstep.params.g.needed"))
        .anySatisfy(it -> assertThat(it.message()).contains("it has n, needed"));
  }

  @Test
  void areBoundedTogether() {
    var params =
        params(
            Map.of(
                "a", new Param(ValueCheck.NONE, Optional.empty()),
                "b", new Param(ValueCheck.NONE, Optional.empty())));
    var half = "x".repeat(GraphParams.BYTES_MAX / 2);
    pin(params, "{\"a\": \"%s\", \"b\": \"%s\"}".formatted(half, half), Map.of());
    assertThat(errors()).singleElement().extracting(Violation::code).isEqualTo("limit_exceeded");
  }

  private ObjectValue pin(GraphParams params, String asked, Map<String, String> set) {
    var operator =
        new Operator() {
          @Override
          public Optional<String> text(String param) {
            return Optional.ofNullable(set.get(param));
          }

          @Override
          public String setting(String param) {
            return "superstep.params.g." + param;
          }
        };
    return params.pin(object(asked), operator, violations.root().key("params"));
  }

  private List<Violation> errors() {
    return violations.errors();
  }

  private static GraphParams params(Map<String, Param> declared) {
    return new GraphParams(new TreeMap<>(declared));
  }

  private static Param standard(String json) {
    return new Param(ValueCheck.NONE, Optional.of(Json.read(json)));
  }

  private static ObjectValue object(String json) {
    return (ObjectValue) Json.read(json);
  }
}
