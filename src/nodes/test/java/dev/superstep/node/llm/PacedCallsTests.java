package dev.superstep.node.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.engine.node.SideEffects;
import dev.superstep.engine.run.CachedInput;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.TaskParkedException;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.json.Json;
import dev.superstep.model.LimitedModel;
import dev.superstep.model.Model;
import dev.superstep.model.ModelAnswer;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelLimits;
import dev.superstep.model.ModelPace;
import dev.superstep.model.ModelRequest;
import dev.superstep.node.TestCall;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Calls of a model that has limits, as one task makes them.
class PacedCallsTests {
  private static final ModelAnswer ANSWER =
      new ModelAnswer(
          "half an answer",
          List.of(new ModelAnswer.ToolCall("c1", "lookup", "{\"word\": 1}")),
          "stop",
          "tiny-1",
          "",
          new ModelAnswer.Usage(11, 7, new CachedInput(3, 2)));

  private final Model model =
      LimitedModel.of(new ModelLimits(Optional.of(60), Optional.of(1_000L), Optional.empty()));
  private final Room room = new Room();
  private final PacedCalls calls = new PacedCalls(room);
  private final Kept kept = new Kept();
  private final TestCall call = TestCall.plain().parts(kept);
  private int made;

  private ModelAnswer answers() {
    made++;
    return ANSWER;
  }

  private static PacedCalls.Making failing(TaskError error) {
    return () -> {
      throw new ModelException(error);
    };
  }

  private static ModelRequest request(String text, String options) {
    return new ModelRequest(
        List.of(ObjectValue.of("role", "user").plus("content", text)),
        List.of(),
        Optional.empty(),
        (ObjectValue) Json.read(options),
        new ModelRequest.Delivery.Whole());
  }

  @Test
  void parksATaskThatFindsNoRoom() {
    room.turns.add(Duration.ofSeconds(90));

    var parked =
        catchThrowableOfType(
            TaskParkedException.class,
            () -> calls.ask(call, model, request("a", "{}"), this::answers));

    assertThat(parked.until()).isEqualTo(TestCall.NOW.plusSeconds(90));
    assertThat(made).isZero();
    assertThat(room.said).isEmpty();
  }

  /// A task that has been answered, and is parked before it asks once more, does not ask for that
  /// again.
  @Test
  void repeatsNoCallOfATaskThatIsParkedBetweenTwo() throws Exception {
    calls.ask(call, model, request("a", "{}"), this::answers);
    room.turns.add(Duration.ofSeconds(90));
    assertThatThrownBy(() -> calls.ask(call, model, request("b", "{}"), this::answers))
        .isInstanceOf(TaskParkedException.class);

    assertThat(calls.ask(call, model, request("a", "{}"), this::answers)).isEqualTo(ANSWER);
    assertThat(made).isEqualTo(1);
    calls.ask(call, model, request("b", "{}"), this::answers);

    assertThat(made).isEqualTo(2);
    assertThat(room.said).containsExactly("used 18", "used 18");
  }

  /// Nor does one whose conversation was too long, and whose summary has to wait.
  @Test
  void remembersThatAConversationIsTooLong() {
    var tooLong = TaskError.permanent("context_length_exceeded", "8 at most");
    assertThatThrownBy(() -> calls.ask(call, model, request("a", "{}"), failing(tooLong)))
        .isInstanceOf(ModelException.class);

    var again =
        catchThrowableOfType(
            ModelException.class, () -> calls.ask(call, model, request("a", "{}"), this::answers));

    assertThat(again.error().code()).isEqualTo("context_length_exceeded");
    assertThat(made).isZero();
  }

  @Test
  void takesWhatTheRequestAndItsLongestAnswerMayTake() throws Exception {
    calls.ask(call, model, request("x".repeat(4_000), "{\"max_tokens\": 50}"), this::answers);
    calls.ask(call, model, request("x".repeat(4_000), "{}"), this::answers);

    assertThat(room.tokens.get(0)).isBetween(1_050L, 1_100L);
    assertThat(room.tokens.get(1) - room.tokens.get(0)).isBetween(965L, 1_024L - 50);
  }

  @Test
  void movesTheQueueWhenTheProviderAsksForIt() {
    var busy =
        new TaskError(
            "model_rate_limited",
            "busy",
            Retryable.YES,
            Optional.of(Duration.ofSeconds(20)),
            ObjectValue.of("status", 429));

    assertThatThrownBy(() -> calls.ask(call, model, request("a", "{}"), failing(busy)))
        .isInstanceOf(ModelException.class);

    assertThat(room.said).containsExactly("used 0", "paused PT20S");
    assertThat(kept.values).isEmpty();
  }

  @Test
  void countsWhatACallMayHaveTakenThatBrokeOff() {
    var broken = TaskError.retryable("model_unreachable", "gone");

    assertThatThrownBy(() -> calls.ask(call, model, request("a", "{}"), failing(broken)))
        .isInstanceOf(ModelException.class);

    assertThat(room.said).containsExactly("used " + room.tokens.getFirst());
  }

  @Test
  void givesItsTurnBackIfTheBudgetOfTheRunIsUsedUp() {
    assertThatThrownBy(() ->
            calls.ask(
                call,
                model,
                request("a", "{}"),
                () -> {
                  throw TaskFailedException.permanent("max_model_calls_exceeded", "no more");
                }))
        .isInstanceOf(TaskFailedException.class);

    assertThat(room.said).containsExactly("unused");
  }

  @Test
  void givesItsTurnBackIfNobodyWaitsForItAnyMore() {
    room.before = Duration.ofSeconds(30);
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> calls.ask(call, model, request("a", "{}"), this::answers))
        .isInstanceOf(InterruptedException.class);

    assertThat(room.said).containsExactly("unused");
    assertThat(made).isZero();
  }

  /// Has room, but for as many calls as it has pauses for.
  private static final class Room implements ModelPace {
    private final List<Duration> turns = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final List<Long> tokens = new ArrayList<>();
    private Duration before = Duration.ZERO;

    @Override
    public CallTurn ask(PacedCall call) {
      tokens.add(call.tokens());
      return turns.isEmpty()
          ? new CallTurn.Now(new Grant(call, 0), before)
          : new CallTurn.Later(turns.removeFirst());
    }

    @Override
    public void used(Grant grant, long used) {
      said.add("used " + used);
    }

    @Override
    public void unused(Grant grant) {
      said.add("unused");
    }

    @Override
    public void pause(PacedCall call, Duration time) {
      said.add("paused " + time);
    }
  }

  private static final class Kept implements SideEffects {
    private final Map<String, Value> values = new HashMap<>();

    @Override
    public Optional<Value> find(String name) {
      return Optional.empty();
    }

    @Override
    public void record(String name, Value value) {
      throw new IllegalStateException("nothing is recorded");
    }

    @Override
    public String idempotencyKey(String name) {
      return name;
    }

    @Override
    public void keep(String name, Value value) {
      values.put(name, value);
    }

    @Override
    public Optional<Value> kept(String name) {
      return Optional.ofNullable(values.get(name));
    }
  }
}
