package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.model.ModelRequest.Delivery;
import dev.superstep.model.ModelRequest.ToolOffer;
import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.springframework.core.env.StandardEnvironment;

/// A model of somebody else's, for those who have a key: `mvn -Pendpoint test` with
/// `OPENAI_BASE_URL`, `OPENAI_API_KEY`, and `OPENAI_MODEL` unless it is `gpt-4o-mini`. Three calls
/// of a few tokens each; the stubs of the other tests are held against it.
@Tag("endpoint")
@EnabledIfEnvironmentVariable(
    named = "OPENAI_BASE_URL",
    matches = ".+",
    disabledReason = "OPENAI_BASE_URL does not say where there is a real model")
@EnabledIfEnvironmentVariable(
    named = "OPENAI_API_KEY",
    matches = ".+",
    disabledReason = "OPENAI_API_KEY does not hold a key for the model")
class RealEndpointTests {
  private static Model model() {
    var name = Objects.requireNonNullElse(System.getenv("OPENAI_MODEL"), "gpt-4o-mini");
    var entry =
        new ModelSettings.ModelEntry(
            Provider.OPENAI,
            System.getenv("OPENAI_BASE_URL"),
            name,
            "env:OPENAI_API_KEY",
            Duration.ofMinutes(1),
            "",
            Map.of(),
            null);
    var apiKey =
        new ApiKey(
            SecretReference.parse("env:OPENAI_API_KEY"), new Secrets(new StandardEnvironment()));
    var clients = new ChatClients(Thread.ofVirtual().factory());
    return new Model(
        "real",
        entry,
        new ModelFailures("real", apiKey),
        () -> clients.create(entry, apiKey, PromptCache.AUTO));
  }

  private static ModelRequest request(
      String words, List<ToolOffer> tools, Optional<ObjectValue> schema) {
    var message = ObjectValue.of("role", Value.of("user")).plus("content", Value.of(words));
    var options = ObjectValue.of("max_tokens", Value.of(100));
    return new ModelRequest(List.of(message), tools, schema, options, new Delivery.Whole());
  }

  @Test
  void answers() throws Exception {
    var answer = model().call(request("Say the word pineapple.", List.of(), Optional.empty()));

    assertThat(answer.text()).containsIgnoringCase("pineapple");
    assertThat(answer.usage().total()).isPositive();
  }

  @Test
  void asksForATool() throws Exception {
    var schema =
        (ObjectValue)
            Json.read(
                """
                {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"],
                 "additionalProperties": false}
                """);
    var tool = new ToolOffer("weather", "Tells the weather of a city", schema);

    var answer =
        model()
            .call(
                request(
                    "Use the tool to find the weather of Paris.", List.of(tool), Optional.empty()));

    assertThat(answer.finishReason()).isEqualTo("tool_calls");
    assertThat(answer.toolCalls().getFirst().arguments()).contains("Paris");
  }

  @Test
  void keepsToASchema() throws Exception {
    var schema =
        (ObjectValue)
            Json.read(
                """
                {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"],
                 "additionalProperties": false}
                """);

    var answer = model().call(request("What is 2 + 3?", List.of(), Optional.of(schema)));

    assertThat(((ObjectValue) Json.read(answer.text())).get("sum")).isEqualTo(Value.of(5));
  }
}
