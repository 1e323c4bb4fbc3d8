package dev.superstep.node;

import dev.superstep.engine.run.DispatchRequest;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The result of a [NodeFunction]: a node result (definitions.md), written in Java. Immutable;
/// every method returns a result with more in it.
///
/// Data are what [PlainData#toValue] takes: maps, lists, texts, numbers, booleans, null, values.
public final class FunctionResult {
  private static final FunctionResult NOTHING =
      new FunctionResult(ObjectValue.empty(), Optional.empty());
  private final ObjectValue json;
  private final Optional<GraphState> whole;

  private FunctionResult(ObjectValue json, Optional<GraphState> whole) {
    this.json = json;
    this.whole = whole;
  }

  /// Done, so far without any change.
  public static FunctionResult done() {
    return NOTHING;
  }

  /// Done, with a whole new state made from the one the function was given ([GraphState#with],
  /// [GraphState#without]). The engine derives the change (E4) where that is unambiguous; elsewhere
  /// the task fails with `delta_not_derivable`. No other change may stand beside it.
  public static FunctionResult state(GraphState state) {
    return new FunctionResult(ObjectValue.empty(), Optional.of(state));
  }

  /// Asks a person. The run stops here; when it is answered the function is called again with
  /// [FunctionCall#resume]. A change given now is held and folded when the task is done (E36).
  ///
  /// @param reason a short word for what is asked
  /// @param payload what the person needs to know
  public static FunctionResult interrupt(String reason, @Nullable Object payload) {
    var question = ObjectValue.of("reason", reason).plus("payload", PlainData.toValue(payload));
    return NOTHING.with("interrupt", question);
  }

  /// A node result in its JSON form.
  public static FunctionResult of(ObjectValue json) {
    return new FunctionResult(json, Optional.empty());
  }

  /// Hands a value to the channel's reducer.
  public FunctionResult update(String channel, @Nullable Object value) {
    return withMember("update", channel, value);
  }

  /// Replaces the channel's value, past its reducer.
  public FunctionResult overwrite(String channel, @Nullable Object value) {
    return withMember("overwrite", channel, value);
  }

  public FunctionResult remove(String... channels) {
    return with("remove", list("remove").plusAll(ListValue.texts(channels)));
  }

  public FunctionResult removeMessages(String... ids) {
    return with("remove_messages", list("remove_messages").plusAll(ListValue.texts(ids)));
  }

  /// Replaces the node's edges (E26); without a node the branch ends.
  public FunctionResult goTo(String... nodes) {
    return with("goto", list("goto").plusAll(ListValue.texts(nodes)));
  }

  /// Runs `node` once in the next superstep with this input, in addition to edges or [#goTo].
  public FunctionResult dispatch(String node, Map<String, ?> input) {
    var object = (ObjectValue) PlainData.toValue(input);
    return dispatch(new DispatchRequest(node, object, null, ObjectValue.empty()));
  }

  public FunctionResult dispatch(DispatchRequest request) {
    var object =
        ObjectValue.of("node", request.node())
            .plus("input", request.input())
            .plus("metadata", request.metadata());
    var id = request.id();
    return with("dispatch", list("dispatch").plus(id == null ? object : object.plus("id", id)));
  }

  /// How far the dispatches have to get, in place of the node's `dispatch_policy`: with
  /// `min_succeeded`, `first_wins`, `tolerated_failures` and `max_concurrency` of the same meaning.
  public FunctionResult dispatchPolicy(Map<String, ?> policy) {
    return with(ResultPolicy.KEY, PlainData.toValue(policy));
  }

  /// Adds a variable to the prompt context.
  ///
  /// @param key dotted
  public FunctionResult variable(String key, @Nullable Object value) {
    return withMember("variables", key, value);
  }

  /// The prompt of this node's history entry in the prompt context.
  public FunctionResult prompt(String prompt) {
    return with("prompt", Value.of(prompt));
  }

  /// The response of this node's history entry in the prompt context.
  public FunctionResult response(String response) {
    return with("response", Value.of(response));
  }

  /// Metadata of this node's history entry in the prompt context.
  public FunctionResult historyMetadata(String key, @Nullable Object value) {
    return withMember("history_metadata", key, value);
  }

  /// An event of type `custom`, stored with the commit. [FunctionCall#emit] publishes it at once.
  public FunctionResult event(String name, @Nullable Object data) {
    var event = ObjectValue.of("name", name).plus("data", PlainData.toValue(data));
    return with("events", list("events").plus(event));
  }

  /// The JSON Schema that answers to [#interrupt] must satisfy (E37).
  public FunctionResult answerSchema(Map<String, ?> schema) {
    return withMember("interrupt", "schema", schema);
  }

  /// How long [#interrupt] waits for an answer; the task fails then with `interrupt_expired`.
  public FunctionResult expiresAfter(Duration after) {
    return withMember("interrupt", "expires_after", after.toString());
  }

  /// How long [#interrupt] waits, and what answers it then.
  public FunctionResult expiresAfter(Duration after, @Nullable Object defaultAnswer) {
    return expiresAfter(after)
        .withMember("interrupt", "on_expiry", "answer")
        .withMember("interrupt", "default_answer", defaultAnswer);
  }

  /// The result in its JSON form; `{}` if it is a whole state.
  public ObjectValue json() {
    return json;
  }

  /// The whole new state, if that is the result.
  public Optional<GraphState> wholeState() {
    return whole;
  }

  private FunctionResult withMember(String part, String key, @Nullable Object value) {
    var object = json.get(part) instanceof ObjectValue found ? found : ObjectValue.empty();
    if (object.has(key)) {
      throw new IllegalArgumentException(
          "%s of '%s' is given twice; give it once, as a list if it is one".formatted(part, key));
    }
    return with(part, object.plus(key, PlainData.toValue(value)));
  }

  private FunctionResult with(String part, Value value) {
    if (whole.isPresent()
        && List.of("update", "overwrite", "remove", "remove_messages", "interrupt")
            .contains(part)) {
      throw new IllegalArgumentException(
          "a whole state and '%s' cannot stand together".formatted(part));
    }
    return new FunctionResult(json.plus(part, value), whole);
  }

  private ListValue list(String part) {
    return json.get(part) instanceof ListValue found ? found : ListValue.empty();
  }

  @Override
  public String toString() {
    return whole.map(it -> "state " + it).orElseGet(json::toString);
  }
}
