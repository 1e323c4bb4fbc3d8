package dev.superstep.node.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.SideEffects;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.TaskParkedException;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.json.Json;
import dev.superstep.model.Model;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelLimits;
import dev.superstep.model.ModelPace;
import dev.superstep.model.ModelPermits;
import dev.superstep.model.ModelRequest;
import dev.superstep.model.ModelRequest.Delivery;
import dev.superstep.model.SpendingGate;
import dev.superstep.model.TestModels;
import dev.superstep.model.stub.OpenAiStub;
import dev.superstep.model.stub.Reply;
import dev.superstep.node.EmittedEvents;
import dev.superstep.node.TestCall;
import dev.superstep.node.llm.AnsweredBy.PassedModel;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which of several models a node asks.
class ModelListTests {
  private static final Reply DOWN = Reply.error(503, "down", "Overloaded");

  private final Map<String, ArrayDeque<Reply>> replies = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final List<String> reserved = new ArrayList<>();
  private final Pace pace = new Pace();
  private final Kept kept = new Kept();
  private final TestCall call = TestCall.plain().parts(kept);
  private final EmittedEvents events = new EmittedEvents(call);
  private final OpenAiStub stub;
  private ModelPermits permits = ModelPermits.unset();

  ModelListTests() throws IOException {
    stub = OpenAiStub.start(0, it -> reply(String.valueOf(it.body().get("model"))));
  }

  @AfterEach
  void end() {
    stub.close();
  }

  private Reply reply(String model) {
    asked.add(model);
    var next = replies.getOrDefault(model, new ArrayDeque<>()).pollFirst();
    return next == null ? Reply.text(model + " answers") : next;
  }

  private void says(String model, Reply... in) {
    replies.put(model, new ArrayDeque<>(List.of(in)));
  }

  private Model model(String name) {
    var limits = new ModelLimits(Optional.of(60), Optional.empty(), Optional.empty());
    return TestModels.named(
        name, stub.url(), name.startsWith("limited") ? Optional.of(limits) : Optional.empty());
  }

  private ModelList list(Fallback fallback, String... names) {
    var models = List.of(names).stream().map(this::model).toList();
    return list(fallback, models);
  }

  private ModelList list(Fallback fallback, List<Model> models) {
    SpendingGate gate =
        (_, bound) -> {
          reserved.add(bound.get().model());
          return SpendingGate.Reservation.NONE;
        };
    var calls =
        new ModelCalls(
            new SimpleMeterRegistry(),
            new CountedNodes(MetricsSettings.UNSET),
            gate,
            new PacedCalls(pace),
            permits);
    return new ModelList(call, calls, models, fallback, events);
  }

  private static ModelRequest request(String text) {
    return new ModelRequest(
        List.of(ObjectValue.of("role", "user").plus("content", text)),
        List.of(),
        Optional.empty(),
        ObjectValue.empty(),
        new Delivery.Whole());
  }

  private List<Value> emitted() {
    var outcome = events.before(new Outcome.Done(NodeResult.NOTHING));
    return ((Outcome.Done) outcome).result().events().stream().map(it -> it.data()).toList();
  }

  private static Value event(String json) {
    return Json.read(json.replace('\'', '"'));
  }

  @Test
  void asksTheFirstAsIfItWereTheOnlyOne() throws Exception {
    var list = list(Fallback.STANDARD, "a", "b");

    assertThat(list.ask(request("Hi")).text()).isEqualTo("a answers");
    assertThat(list.answeredBy()).isEqualTo(new AnsweredBy("a", AnsweredBy.Choice.LIST, List.of()));
    assertThat(asked).containsExactly("a");
    assertThat(emitted()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 502, 503, 529})
  void asksTheNextWhereOneIsBusyOrBroken(int status) throws Exception {
    says("a", Reply.error(status, "no", "no"));
    var list = list(Fallback.STANDARD, "a", "b");

    assertThat(list.ask(request("Hi")).text()).isEqualTo("b answers");
    assertThat(list.answeredBy().model()).isEqualTo("b");
    assertThat(reserved).containsExactly("a", "b");
    assertThat(pace.cooled).containsExactly("a PT30S");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 404, 422})
  void asksNobodyElseForAMistakeOfItsOwn(int status) {
    says("a", Reply.error(status, "no", "no"));

    assertThatThrownBy(() -> list(Fallback.STANDARD, "a", "b").ask(request("Hi")))
        .isInstanceOf(ModelException.class);
    assertThat(asked).containsExactly("a");
    assertThat(pace.cooled).isEmpty();
  }

  @Test
  void asksTheNextWhereOneCannotBeReachedOrIsLate() throws Exception {
    var gone = TestModels.named("gone", "http://127.0.0.1:1/v1", Optional.empty());
    says("late", new Reply.Late(Duration.ofSeconds(3), Reply.text("too late")));
    var late = TestModels.impatient("late", stub.url(), Duration.ofMillis(300));

    var list = list(Fallback.STANDARD, List.of(gone, late, model("c")));

    assertThat(list.ask(request("Hi")).text()).isEqualTo("c answers");
    assertThat(list.answeredBy().passedOver())
        .containsExactly(
            new PassedModel("gone", "model_unreachable"), new PassedModel("late", "node_timeout"));
  }

  @Test
  void saysWhomItPassesOverAndWhy() throws Exception {
    says("a", DOWN);
    list(Fallback.STANDARD, "a", "b").ask(request("Hi"));

    assertThat(emitted())
        .containsExactly(
            event("{'from': 'a', 'to': 'b', 'code': 'model_unavailable', 'streamed': false}"));
  }

  /// Pieces of a text that somebody has seen are not taken back in silence.
  @Test
  void saysThatAStreamHasBrokenOff() throws Exception {
    says("a", new Reply.Broken("Half of a text"));
    var pieces = new ArrayList<String>();
    var request = request("Hi").with(new Delivery.Streamed(() -> pieces::add));

    var answer = list(Fallback.STANDARD, "a", "b").ask(request);

    assertThat(answer.text()).isEqualTo("b answers");
    assertThat(String.join("", pieces)).startsWith("Half").endsWith("b answers");
    assertThat(emitted())
        .containsExactly(
            event("{'from': 'a', 'to': 'b', 'code': 'model_unreachable', 'streamed': true}"));
  }

  @Test
  void fallsBackOnARefusalOnlyIfItIsListed() throws Exception {
    says("a", new Reply.Refusal("I would rather not"));
    assertThat(list(Fallback.STANDARD, "a", "b").ask(request("Hi")).refusal()).isNotEmpty();

    says("a", new Reply.Refusal("I would rather not"), new Reply.Cut("So", "content_filter"));
    var listed = new Fallback(Set.of("model_refused", "content_filter"), Duration.ZERO);
    assertThat(list(listed, "a", "b").ask(request("Hi")).text()).isEqualTo("b answers");
    assertThat(list(listed, "a", "b").ask(request("Hi")).text()).isEqualTo("b answers");
    assertThat(pace.cooled).isEmpty();
  }

  /// The last one's refusal is what there is.
  @Test
  void answersWithTheRefusalOfTheLast() throws Exception {
    says("a", DOWN);
    says("b", new Reply.Refusal("I would rather not"));
    var listed = new Fallback(Set.of("model_refused", "model_unavailable"), Duration.ZERO);

    assertThat(list(listed, "a", "b").ask(request("Hi")).refusal()).isNotEmpty();
  }

  @Test
  void asksLastWhoHasFailedAMomentAgo() throws Exception {
    pace.cooling.add("a");
    var list = list(Fallback.STANDARD, "a", "b", "c");
    says("b", DOWN);

    assertThat(list.ask(request("Hi")).text()).isEqualTo("c answers");
    assertThat(asked).containsExactly("b", "c");
    assertThat(emitted().getFirst())
        .isEqualTo(event("{'from': 'a', 'to': 'b', 'code': 'model_cooling', 'streamed': false}"));

    asked.clear();
    pace.cooling.addAll(List.of("b", "c"));
    assertThat(list(Fallback.STANDARD, "a", "b", "c").ask(request("Hi")).text())
        .isEqualTo("a answers");
  }

  @Test
  void coolsForAsLongAsTheProviderAsks() throws Exception {
    says("a", Reply.rateLimited("90"), Reply.rateLimited("90000"));
    list(Fallback.STANDARD, "a", "b").ask(request("Hi"));
    list(Fallback.STANDARD, "a", "b").ask(request("Hi"));

    assertThat(pace.cooled).containsExactly("a PT1M30S", "a PT10M");
  }

  /// Nor does a repair begin with those that were passed over.
  @Test
  void asksOnceMoreWhoHasAnswered() throws Exception {
    says("a", DOWN);
    var list = list(Fallback.STANDARD, "a", "b", "c");
    list.ask(request("Hi"));
    assertThat(list.ask(request("Again")).text()).isEqualTo("b answers");

    says("b", DOWN);
    assertThat(list.ask(request("Again")).text()).isEqualTo("c answers");
    assertThat(asked).containsExactly("a", "b", "b", "b", "c");
  }

  @Test
  void asksTheNextWhereATurnIsTooLate() throws Exception {
    pace.later.put("limited-a", Duration.ofSeconds(90));

    assertThat(list(Fallback.STANDARD, "limited-a", "b").ask(request("Hi")).text())
        .isEqualTo("b answers");
    assertThat(emitted())
        .containsExactly(
            event("{'from': 'limited-a', 'to': 'b', 'code': 'model_limit', 'streamed': false}"));
    assertThat(pace.left).containsExactly("limited-a");
  }

  @Test
  void waitsForATurnThatIsNear() {
    pace.later.put("limited-a", Duration.ofSeconds(9));

    assertThatThrownBy(() -> list(Fallback.STANDARD, "limited-a", "b").ask(request("Hi")))
        .isInstanceOf(TaskParkedException.class);
    assertThat(asked).isEmpty();
  }

  /// A turn that comes late is better than a failure.
  @Test
  void waitsForTheFirstTurnWhereNobodyElseAnswers() {
    pace.later.put("limited-a", Duration.ofSeconds(90));
    pace.later.put("limited-b", Duration.ofSeconds(60));
    says("c", DOWN);

    var parked =
        catchThrowableOfType(
            TaskParkedException.class,
            () -> list(Fallback.STANDARD, "limited-a", "limited-b", "c").ask(request("Hi")));

    assertThat(parked.until()).isEqualTo(TestCall.NOW.plusSeconds(60));
    assertThat(pace.left).isEmpty();
  }

  /// A task that was parked after its first answer goes on with that, whoever could answer by now.
  @Test
  void takesTheAnswerThatATaskHasBeforeItWasParked() throws Exception {
    says("a", DOWN);
    list(Fallback.STANDARD, "a", "limited-b").ask(request("Hi"));

    var resumed = list(Fallback.STANDARD, "a", "limited-b");

    assertThat(resumed.ask(request("Hi")).text()).isEqualTo("limited-b answers");
    assertThat(asked).containsExactly("a", "limited-b");
  }

  /// Nor is an answer paid for again that was not wanted.
  @Test
  void paysOnceForAnAnswerThatIsNotWanted() throws Exception {
    says("a", new Reply.Refusal("I would rather not"));
    pace.later.put("limited-b", Duration.ofSeconds(5));
    var listed = new Fallback(Set.of("model_refused"), Duration.ofSeconds(10));
    assertThatThrownBy(() -> list(listed, "a", "limited-b").ask(request("Hi")))
        .isInstanceOf(TaskParkedException.class);
    pace.later.clear();

    assertThat(list(listed, "a", "limited-b").ask(request("Hi")).text())
        .isEqualTo("limited-b answers");
    assertThat(asked).containsExactly("a", "limited-b");
  }

  /// A model that hangs leaves the next one its share of the time of the node.
  @Test
  void givesUpAModelThatHangsWhileThereIsTimeForTheNext() throws Exception {
    says("a", new Reply.Late(Duration.ofSeconds(4), Reply.text("too late")));
    call.deadline(TestCall.NOW.plusSeconds(1));

    assertThat(list(Fallback.STANDARD, "a", "b").ask(request("Hi")).text()).isEqualTo("b answers");
    assertThat(pace.cooled).containsExactly("a PT30S");
  }

  /// A task that had a place before does not come back for it.
  @Test
  void leavesTheQueueOfAModelThatIsAskedBehindOthersNow() throws Exception {
    pace.cooling.add("limited-a");
    list(Fallback.STANDARD, "limited-a", "b").ask(request("Hi"));

    assertThat(pace.left).containsExactly("limited-a");
  }

  @Test
  void failsWithWhatCanBeMendedIfOneSaysSo() {
    says("a", Reply.error(400, "context_length_exceeded", "maximum context length is 8"));
    says("b", DOWN);
    var listed =
        new Fallback(Set.of("context_length_exceeded", "model_unavailable"), Duration.ZERO);

    var failure =
        catchThrowableOfType(ModelException.class, () -> list(listed, "a", "b").ask(request("Hi")));

    assertThat(failure.error().code()).isEqualTo("context_length_exceeded");
  }

  @Test
  void saysOfEachWhyNobodyHasAnswered() {
    says("a", Reply.rateLimited("7"));
    says("b", Reply.error(429, "insufficient_quota", "insufficient_quota"));

    var failure =
        catchThrowableOfType(
            ModelException.class, () -> list(Fallback.STANDARD, "a", "b").ask(request("Hi")));

    var error = failure.error();
    assertThat(error.code()).isEqualTo("model_quota_exceeded");
    assertThat(error.message()).contains("model 'a' answered 429", "model 'b' answered 429");
    assertThat(error.retryable()).isEqualTo(Retryable.YES);
    assertThat(error.retryAfter()).contains(Duration.ofSeconds(7));
    assertThat(error.details().get("models"))
        .isEqualTo(
            event(
                "[{'model': 'a', 'code': 'model_rate_limited'}, {'model': 'b', 'code': 'model_quota_exceeded'}]"));
  }

  @Test
  void asksNoModelThatTheGraphMayNotUse() {
    says("a", DOWN);
    permits = new ModelPermits(Map.of("b", new ModelPermits.GraphsOfModel(List.of("other"))));

    assertThatThrownBy(() -> list(Fallback.STANDARD, "a", "b").ask(request("Hi")))
        .isInstanceOf(TaskFailedException.class)
        .hasMessageContaining("may not use the model 'b'");
    assertThat(asked).containsExactly("a");
  }

  private static final class Pace implements ModelPace {
    private final Map<String, Duration> later = new HashMap<>();
    private final Set<String> cooling = new HashSet<>();
    private final List<String> cooled = new ArrayList<>();
    private final List<String> left = new ArrayList<>();

    @Override
    public CallTurn ask(PacedCall call) {
      return later.containsKey(call.model())
          ? new CallTurn.Later(later.get(call.model()))
          : new CallTurn.Now(new Grant(call, 0), Duration.ZERO);
    }

    @Override
    public void used(Grant grant, long tokens) {}

    @Override
    public void unused(Grant grant) {}

    @Override
    public void pause(PacedCall call, Duration time) {}

    @Override
    public void leave(PacedCall call) {
      left.add(call.model());
    }

    @Override
    public void cool(String model, Duration time) {
      cooled.add(model + " " + time);
    }

    @Override
    public Set<String> cooling(Collection<String> models) {
      return models.stream().filter(cooling::contains).collect(Collectors.toSet());
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
