package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.graph.ExpressionException;
import dev.superstep.state.Channels;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WaitNodeTests {

  /// E30: waiting has a due time; nothing holds a thread.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"for": "30s"}                        | 2026-01-31T08:00:30Z
          {"for": "PT1M"}                       | 2026-01-31T08:01:00Z
          {"for": "{{ state.n }}ms"}            | 2026-01-31T08:00:00.005Z
          {"until": "2026-01-31T10:00:00+01:00"} | 2026-01-31T09:00:00Z
          {"until": "{{ state.due }}"}          | 2026-02-01T00:00:00Z
          """)
  void waitsUntilItsTime(String config, Instant due) throws Exception {
    var call = TestCall.plain().state("{\"n\": 5, \"due\": \"2026-02-01T00:00:00Z\"}");
    assertThat(node(config).run(call)).isEqualTo(new Outcome.Waiting(due));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"for\": \"0s\"}",
        "{\"until\": \"2026-01-31T08:00:00Z\"}",
        "{\"until\": \"2020-01-01T00:00:00Z\"}"
      })
  void isDoneWhenThereIsNothingToWaitFor(String config) throws Exception {
    assertThat(node(config).run(TestCall.plain())).isEqualTo(new Outcome.Done(NodeResult.NOTHING));
  }

  @Test
  void isDoneWhenItIsWoken() throws Exception {
    assertThat(node("{\"for\": \"30s\"}").run(TestCall.plain().wokenUp()))
        .isEqualTo(new Outcome.Done(NodeResult.NOTHING));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"for\": \"soon\"}",
        "{\"for\": \"-5s\"}",
        "{\"for\": \"999999999999d\"}",
        "{\"until\": \"tomorrow\"}",
        "{\"until\": \"2026-01-31T08:00:00\"}",
        "{\"until\": \"{{ 1 + }}\"}"
      })
  void refusesWhatIsNoTime(String config) {
    assertThatExceptionOfType(InvalidNodeException.class).isThrownBy(() -> node(config));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"for\": \"{{ 'soon' }}\"}", "{\"until\": \"{{ 5 }}\"}"})
  void failsWhenATemplateGivesNoTime(String config) {
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> node(config).run(TestCall.plain()))
        .withMessageMatching("/(for: \"soon\" is no duration|until: 5 is no RFC 3339 time)");
  }

  @Test
  void hasNoTimeOut() {
    assertThat(new WaitNodeType(TestCall.EXPRESSIONS).defaultTimeout()).isEmpty();
  }

  private static NodeRunner node(String config) {
    return new WaitNodeType(TestCall.EXPRESSIONS)
        .create(TestCall.node("wait", config), new GraphOutline(Channels.none(), Set.of()));
  }
}
