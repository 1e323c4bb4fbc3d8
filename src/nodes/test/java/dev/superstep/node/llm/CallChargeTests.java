package dev.superstep.node.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.json.Json;
import dev.superstep.model.Model;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelPace;
import dev.superstep.model.ModelPermits;
import dev.superstep.model.ModelRequest;
import dev.superstep.model.SpendingGate;
import dev.superstep.model.SpendingGate.CallBound;
import dev.superstep.model.SpendingGate.CallUsage;
import dev.superstep.model.TestModels;
import dev.superstep.model.stub.OpenAiStub;
import dev.superstep.model.stub.Reply;
import dev.superstep.node.TestCall;
import dev.superstep.state.value.ObjectValue;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What calls draw on budgets: all that was reserved, unless it is known what they took.
class CallChargeTests {
  private static final Map<String, String> BOUNDED = Map.of("max-tokens", "100");

  private final List<CallBound> reserved = new ArrayList<>();
  private final List<CallUsage> settled = new ArrayList<>();

  private void ask(String url, Map<String, String> options, String message)
      throws InterruptedException {
    SpendingGate gate =
        (_, call) -> {
          reserved.add(call.get());
          return settled::add;
        };
    ask(gate, TestModels.priced(url, options), message);
  }

  private static void ask(SpendingGate gate, Model model, String message)
      throws InterruptedException {
    var calls =
        new ModelCalls(
            new SimpleMeterRegistry(),
            new CountedNodes(MetricsSettings.UNSET),
            gate,
            new PacedCalls(ModelPace.NONE),
            ModelPermits.unset());
    var request =
        new ModelRequest(
            List.of((ObjectValue) Json.read(message)),
            List.of(),
            Optional.empty(),
            ObjectValue.empty(),
            new ModelRequest.Delivery.Whole());
    try {
      calls.ask(TestCall.plain(), model, request);
    } catch (ModelException _) {
      // what the provider took is what is asserted
    }
  }

  /// The provider has seen nothing of it.
  @Test
  void drawsNothingForACallWithoutAToken() throws Exception {
    SpendingGate gate = (_, _) -> settled::add;
    ask(gate, TestModels.unproved(), "{\"role\": \"user\", \"content\": \"Hi\"}");

    assertThat(settled).containsExactly(CallUsage.REFUSED);
  }

  private void ask(Reply reply) throws Exception {
    try (var stub = OpenAiStub.of(reply)) {
      ask(stub.url(), BOUNDED, "{\"role\": \"user\", \"content\": \"Hi\"}");
    }
  }

  @Test
  void settlesWhatAnAnswerTook() throws Exception {
    ask(Reply.text("Hello there"));

    assertThat(settled)
        .singleElement()
        .satisfies(it -> {
          assertThat(it.calls()).isOne();
          assertThat(it.tokens()).isEqualTo(18);
          assertThat(it.money()).isEqualByComparingTo("0.000018");
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 404, 429, 500, 503, 529})
  void takesNothingButACallForARefusal(int status) throws Exception {
    ask(Reply.error(status, "no", "no"));

    assertThat(settled).containsExactly(CallUsage.REFUSED);
  }

  /// A proxy may have given up on a provider that has answered, and charges.
  @ParameterizedTest
  @ValueSource(ints = {408, 502, 504, 524})
  void keepsWhatIsReservedWhereAProxyMayHaveGivenUp(int status) throws Exception {
    ask(Reply.error(status, "no", "no"));

    assertThat(reserved).hasSize(1);
    assertThat(settled).isEmpty();
  }

  @Test
  void keepsWhatIsReservedWhereTheAnswerIsLostOrNamesNoTokens() throws Exception {
    ask(new Reply.Broken("half of"));
    ask(new Reply.Garbage("no completion"));
    ask(
        new Reply.Status(
            200,
            "{\"choices\": [{\"message\": {\"content\": \"so\"}, \"finish_reason\": \"stop\"}]}",
            Map.of()));

    assertThat(reserved).hasSize(3);
    assertThat(settled).isEmpty();
  }

  @Test
  void takesNothingButACallWhereNobodyWasReached() throws Exception {
    String url;
    try (var stub = OpenAiStub.of()) {
      url = stub.url();
    }

    ask(url, BOUNDED, "{\"role\": \"user\", \"content\": \"Hi\"}");

    assertThat(settled).containsExactly(CallUsage.REFUSED);
  }

  @Test
  void asksNobodyWithoutAReservation() throws Exception {
    try (var stub = OpenAiStub.of(Reply.text("no"))) {
      SpendingGate gate =
          (_, _) -> {
            throw TaskFailedException.permanent("budget_exhausted", "no");
          };

      assertThatThrownBy(
              () -> ask(gate, TestModels.priced(stub.url(), BOUNDED), "{\"role\": \"user\"}"))
          .isInstanceOf(TaskFailedException.class);

      assertThat(stub.asked()).isEmpty();
    }
  }

  /// A token is at least a byte of what is sent, however it is encoded.
  @Test
  void boundsACallByItsBytesAndItsMostOutput() throws Exception {
    var text = "€".repeat(1_000);

    ask("http://localhost:1", BOUNDED, "{\"role\": \"user\", \"content\": \"%s\"}".formatted(text));
    ask("http://localhost:1", Map.of(), "{\"role\": \"user\", \"content\": \"\"}");
    ask(
        "http://localhost:1",
        Map.of("max-tokens", "-1"),
        "{\"role\": \"user\", \"content\": \"\"}");
    ask(
        "http://localhost:1",
        BOUNDED,
        "{\"role\": \"user\", \"content\": [{\"image_url\": {\"url\": \"data:image/png;base64,%s\"}}]}"
            .formatted("A".repeat(500_000)));

    assertThat(reserved.getFirst().inputTokens()).isBetween(3_000L, 5_000L);
    assertThat(reserved.getFirst().tokens()).hasValue(reserved.getFirst().inputTokens() + 100);
    assertThat(reserved.getFirst().money())
        .contains(BigDecimal.valueOf(reserved.getFirst().inputTokens() + 100, 6));
    assertThat(reserved.get(1).tokens()).isEmpty();
    assertThat(reserved.get(1).money()).isEmpty();
    assertThat(reserved.get(2).tokens()).isEmpty();
    assertThat(reserved.get(3).inputTokens()).isBetween(65_536L, 70_000L);
  }
}
