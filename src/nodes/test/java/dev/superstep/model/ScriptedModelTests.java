package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.groups.Tuple.tuple;

import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.json.Json;
import dev.superstep.model.ModelAnswer.ToolCall;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelRequest.Delivery;
import dev.superstep.model.ModelRequest.ToolOffer;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.mock.env.MockEnvironment;

/// A model that needs no second process.
@Timeout(30)
@ExtendWith(OutputCaptureExtension.class)
class ScriptedModelTests {
  private static final String AGENT =
      """
      - when: { last: tool }
        say: "The tools say: {tool}"
      - when: { user: ["^Plan", "about (.*)"] }
        say: '{"topic": "{1}"}'
        usage: { input: 3, output: 4 }
      - when: { tool: weather }
        call: [ { name: weather, arguments: '{"city": "{user}", "days": 2}' } ]
      - say: "You said: {user}"
      """;

  private static Model model(String script) {
    return model(script, new MockEnvironment());
  }

  private static Model model(String script, MockEnvironment environment) {
    return model(script, environment, "10s");
  }

  private static Model model(String script, MockEnvironment environment, String timeout) {
    var yaml =
        "superstep.models.m:\n  provider: stub\n  model: toy\n  timeout: %s\n  script:\n%s"
            .formatted(timeout, script.indent(4));
    try {
      var sources =
          new YamlPropertySourceLoader()
              .load("test", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
      var binder = new Binder(ConfigurationPropertySources.from(sources));
      return new ModelConfiguration()
          .models(
              binder.bindOrCreate("superstep", ModelSettings.class),
              binder.bindOrCreate("superstep", ScriptSettings.class),
              binder.bindOrCreate("superstep", ModelLimitSettings.class),
              binder.bindOrCreate("superstep", ModelCacheSettings.class),
              binder.bindOrCreate("superstep", ModelIdentitySettings.class),
              new Secrets(environment),
              environment,
              new StaticListableBeanFactory().getBeanProvider(InstantSource.class))
          .standard()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ModelRequest request(Delivery delivery, String... messages) {
    var weather =
        new ToolOffer("weather", "Tells it", (ObjectValue) Json.read("{\"type\":\"object\"}"));
    return new ModelRequest(
        Stream.of(messages).map(it -> (ObjectValue) Json.read(it.replace('\'', '"'))).toList(),
        messages.length > 0 && messages[0].contains("no tools") ? List.of() : List.of(weather),
        Optional.empty(),
        ObjectValue.empty(),
        delivery);
  }

  private static ModelAnswer ask(Model model, String... messages) throws Exception {
    return model.call(request(new Delivery.Whole(), messages));
  }

  private static TaskError fail(Model model, String... messages) {
    return Objects.requireNonNull(
            catchThrowableOfType(ModelException.class, () -> ask(model, messages)))
        .error();
  }

  @Test
  void asksForToolsWithWordsOfTheRequest() throws Exception {
    var answer = ask(model(AGENT), "{'role':'user','content':'Paris \\\"X\\\"'}");

    assertThat(answer.finishReason()).isEqualTo("tool_calls");
    assertThat(answer.toolCalls())
        .extracting(ToolCall::name, it -> Json.read(it.arguments()))
        .containsExactly(tuple("weather", Json.read("{\"city\":\"Paris \\\"X\\\"\",\"days\":2}")));
  }

  @Test
  void goesOnWithWhatTheToolsSaid() throws Exception {
    var answer =
        ask(
            model(AGENT),
            "{'role':'user','content':'Paris'}",
            "{'role':'assistant','tool_calls':[{'id':'c','name':'weather','arguments':{}}]}",
            "{'role':'tool','tool_call_id':'c','content':'sunny'}");

    assertThat(answer.text()).isEqualTo("The tools say: sunny");
    assertThat(answer.finishReason()).isEqualTo("stop");
    assertThat(answer.model()).isEqualTo("toy");
  }

  @Test
  void fillsInGroupsAndCountsTokensAsWritten() throws Exception {
    var answer = ask(model(AGENT), "{'role':'user','content':'Plan\\na talk about owls'}");

    assertThat(answer.text()).isEqualTo("{\"topic\": \"owls\"}");
    assertThat(answer.usage()).isEqualTo(new Usage(3, 4));
  }

  @Test
  void saysTheFirstThatFits() throws Exception {
    assertThat(ask(model(AGENT), "{'role':'user','content':'no tools'}").text())
        .isEqualTo("You said: no tools");
  }

  @Test
  void writesWordByWord() throws Exception {
    var pieces = new ArrayList<String>();
    var answer =
        model("- say: one two  three\n  pause: 5ms")
            .call(
                request(
                    new Delivery.Streamed(() -> pieces::add), "{'role':'user','content':'Hi'}"));

    assertThat(pieces).containsExactly("one ", "two  ", "three");
    assertThat(answer.text()).isEqualTo("one two  three");
    assertThat(answer.finishReason()).isEqualTo("stop");
    assertThat(answer.usage()).isEqualTo(new Usage(11, 7));
  }

  @Test
  void asksForToolsInAStream() throws Exception {
    var answer =
        model(AGENT)
            .call(
                request(new Delivery.Streamed(() -> _ -> {}), "{'role':'user','content':'Paris'}"));

    assertThat(answer.toolCalls()).extracting(ToolCall::name).containsExactly("weather");
    assertThat(answer.finishReason()).isEqualTo("tool_calls");
  }

  /// An answer of its own for each turn, and failures that pass.
  @Test
  void answersInOrder() throws Exception {
    var model =
        model(
            """
            - { times: 1, error: { status: 429, message: "slow down, {user}", retry-after: 7s } }
            - { when: { turn: 1 }, say: first }
            - { when: { turn: 2 }, say: second, finish: length }
            """);
    var user = "{'role':'user','content':'Hi'}";

    var error = fail(model, user);
    assertThat(error)
        .extracting(TaskError::code, TaskError::retryable, TaskError::retryAfter)
        .containsExactly("model_rate_limited", Retryable.YES, Optional.of(Duration.ofSeconds(7)));
    assertThat(error.message()).contains("slow down, Hi");
    assertThat(ask(model, user).text()).isEqualTo("first");
    var second = ask(model, user, "{'role':'assistant','content':'first'}", user);
    assertThat(second.text()).isEqualTo("second");
    assertThat(second.finishReason()).isEqualTo("length");
    assertThat(
            fail(
                    model,
                    user,
                    "{'role':'assistant','content':'1'}",
                    "{'role':'assistant','content':'2'}",
                    user)
                .message())
        .contains("the script has no reply that fits");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void runsOutOfTime(boolean streamed) {
    var model = model("- { say: late, delay: 1h }", new MockEnvironment(), "50ms");
    Delivery delivery = streamed ? new Delivery.Streamed(() -> _ -> {}) : new Delivery.Whole();

    assertThat(
            Objects.requireNonNull(
                    catchThrowableOfType(
                        ModelException.class,
                        () -> model.call(request(delivery, "{'role':'user','content':'Hi'}"))))
                .error()
                .code())
        .isEqualTo("node_timeout");
  }

  @Test
  void warnsInProduction(CapturedOutput log) {
    var production = new MockEnvironment();
    model("- say: a");
    assertThat(log.getAll()).doesNotContain("is a stub");
    production.setActiveProfiles("prod");

    model("- say: a", production);

    assertThat(log.getAll()).contains("WARN", "superstep.models.m is a stub");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "- { when: { last: user } }",
        "- { say: a, error: { status: 500 } }",
        "- { error: { status: 200 } }",
        "- { say: a, when: { user: ['('] } }",
        "- { say: a, when: { last: nobody } }",
        "- { say: a, delay: -1s }",
        "- { say: a, usage: { input: -1 } }",
        "- { call: [ { name: 'a b' } ] }",
        "- { call: [ { name: a, arguments: '[]' } ] }",
        "[]"
      })
  void doesNotStartWithAScriptThatIsNone(String script) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> {
          try {
            model(script);
          } catch (BindException e) {
            throw new IllegalArgumentException(
                NestedExceptionUtils.getMostSpecificCause(e).getMessage(), e);
          }
        })
        .withMessageContaining("superstep.models.m.script");
  }
}
