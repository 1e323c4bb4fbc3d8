package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.graph.Violation;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The summarizers `drop`, `expression` and `function` (definitions.md, *Compaction*).
class SummarizersTests {
  private static final ListValue MESSAGES =
      (ListValue)
          Json.read(
              """
              [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]
              """);

  @Test
  void dropsWithoutASummary() throws Exception {
    var drop = new DropSummarizer();
    assertThat(drop.create(ObjectValue.empty(), "graph").summarize(MESSAGES, TestCall.plain()))
        .isEmpty();
    assertThat(drop.pure()).isTrue();
  }

  @Test
  void evaluatesAnExpressionOverTheMessagesAndTheState() throws Exception {
    var made = expression("input.messages.map(m, m.content).join(', ') + ' of ' + state.user");
    var call = TestCall.plain().state("{\"user\": \"Ada\"}");
    assertThat(made.summarize(MESSAGES, call)).contains("hello, hi of Ada");
    assertThat(made.pure()).isTrue();
  }

  @Test
  void failsWithAnExpressionThatGivesNoString() {
    var made = expression("size(input.messages)");
    assertThatThrownBy(() -> made.summarize(MESSAGES, TestCall.plain()))
        .isInstanceOfSatisfying(
            TaskFailedException.class,
            it -> assertThat(it.error().code()).isEqualTo("bad_summary"));
  }

  @Test
  void saysWhereAnExpressionIsWrong() {
    assertThatThrownBy(() -> expression("input.messages.("))
        .isInstanceOfSatisfying(
            InvalidNodeException.class,
            it -> {
              assertThat(it.problems()).extracting(Violation::pointer).contains("/expression");
              assertThat(it.problems().getFirst().hasPosition()).isTrue();
            });
  }

  @Test
  void asksAFunctionOfTheUser() throws Exception {
    var made =
        function(
            (messages, call) -> messages.size() + " for " + call.arguments(),
            "{\"function\": \"f\", \"arguments\": {\"tone\": \"dry\"}}");
    assertThat(made.summarize(MESSAGES, TestCall.plain())).contains("2 for {\"tone\":\"dry\"}");
    assertThat(made.pure()).isFalse();
  }

  @Test
  @SuppressWarnings("NullAway") // users' code is not checked
  void failsWithTheCodeThatAFunctionGives() {
    var failing =
        function(
            (_, _) -> {
              throw NodeException.permanent("no_words", "nothing to say");
            },
            "{\"function\": \"f\"}");
    var silent = function((_, _) -> null, "{\"function\": \"f\"}");
    assertThat(code(failing)).isEqualTo("no_words");
    assertThat(code(silent)).isEqualTo("bad_summary");
  }

  @Test
  void refusesAFunctionThatIsNotThere() {
    assertThatThrownBy(() -> function((_, _) -> "", "{\"function\": \"g\"}"))
        .isInstanceOfSatisfying(
            InvalidNodeException.class,
            it -> assertThat(it.problems().getFirst().code()).isEqualTo("unknown_function"));
  }

  private static String code(Summarizer summarizer) {
    try {
      summarizer.summarize(MESSAGES, TestCall.plain());
      return "none";
    } catch (TaskFailedException e) {
      return e.error().code();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static Summarizer expression(String source) {
    var config = ObjectValue.of("expression", dev.superstep.state.value.Value.of(source));
    return new ExpressionSummarizer(TestCall.EXPRESSIONS).create(config, "graph");
  }

  private static Summarizer function(SummaryFunction function, String config) {
    return new FunctionSummarizer(Map.of("f", function))
        .create((ObjectValue) Json.read(config), "graph");
  }
}
