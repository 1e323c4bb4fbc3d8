package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.json.Json;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FunctionResultTests {

  /// P2: `history_metadata` among the parts.
  @Test
  void writesANodeResult() {
    var result =
        FunctionResult.done()
            .update("findings", List.of("x"))
            .update("count", 1)
            .overwrite("status", null)
            .remove("a")
            .remove("b", "c")
            .goTo("next")
            .dispatch("research", Map.of("topic", "cats"))
            .variable("llm.model", "m")
            .prompt("p")
            .response("r")
            .historyMetadata("source", "web")
            .event("found", 2);
    assertThat(result.json())
        .isEqualTo(
            Json.read(
                """
                {"update": {"findings": ["x"], "count": 1}, "overwrite": {"status": null},
                 "remove": ["a", "b", "c"], "goto": ["next"],
                 "dispatch": [{"node": "research", "input": {"topic": "cats"}, "metadata": {}}],
                 "variables": {"llm.model": "m"}, "prompt": "p", "response": "r",
                 "history_metadata": {"source": "web"}, "events": [{"name": "found", "data": 2}]}
                """));
  }

  /// E37: a question with schema and expiry.
  @Test
  void writesAnInterrupt() {
    var result =
        FunctionResult.interrupt("approval", Map.of("q", "go?"))
            .answerSchema(Map.of("type", "boolean"))
            .expiresAfter(Duration.ofHours(1), false);
    assertThat(result.json())
        .isEqualTo(
            Json.read(
                """
                {"interrupt": {"reason": "approval", "payload": {"q": "go?"},
                  "schema": {"type": "boolean"}, "expires_after": "PT1H",
                  "on_expiry": "answer", "default_answer": false}}
                """));
  }

  @Test
  void refusesToUpdateAChannelTwice() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FunctionResult.done().update("a", 1).update("a", 2))
        .withMessageContaining("'a' is given twice");
  }

  @Test
  void refusesAChangeBesideAWholeState() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FunctionResult.state(GraphState.empty()).update("a", 1));
  }

  @Test
  void takesPlainDataAsValues() {
    assertThat(
            PlainData.toValue(
                Arrays.asList(
                    null,
                    true,
                    1,
                    2L,
                    1.5f,
                    new BigDecimal("0.25"),
                    BigInteger.TEN,
                    "t",
                    Optional.of(1),
                    Optional.empty(),
                    Map.of("k", List.of()))))
        .isEqualTo(Json.read("[null, true, 1, 2, 1.5, 0.25, 10, \"t\", 1, null, {\"k\": []}]"));
  }

  /// E46: numbers that neither int64 nor binary64 holds are refused, not rounded.
  @Test
  void refusesNumbersThatNoValueHolds() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> PlainData.toValue(new BigDecimal("0.1000000000000000055511151231257827")));
    assertThatIllegalArgumentException().isThrownBy(() -> PlainData.toValue(Double.NaN));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlainData.toValue(new BigInteger("9223372036854775808")));
  }

  @Test
  void refusesDataThatContainItself() {
    var list = new ArrayList<Object>();
    list.add(list);
    assertThatIllegalArgumentException().isThrownBy(() -> PlainData.toValue(list));
  }

  @Test
  void givesValuesBackAsPlainData() {
    assertThat(PlainData.toJava(Json.read("{\"a\": [null, 1, 1.5, \"t\", true]}")))
        .isEqualTo(Map.of("a", Arrays.asList(null, 1L, 1.5, "t", true)));
    assertThat(PlainData.toJava(ListValue.of(Value.of(1)))).containsExactly(1L);
  }
}
