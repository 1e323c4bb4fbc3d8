package dev.superstep.node;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.TestRunHeader;
import dev.superstep.engine.node.LiveEventSink;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.SideEffects;
import dev.superstep.engine.run.Dispatch;
import dev.superstep.engine.run.Resume;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.json.Json;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One call of a node, as a test wants it.
public final class TestCall implements NodeCall {
  /// Immutable, and slow to make.
  public static final Expressions EXPRESSIONS = new Expressions();

  public static final Instant NOW = Instant.parse("2026-01-31T08:00:00Z");
  private GraphState state = GraphState.empty();
  private PromptContext context = PromptContext.EMPTY;
  private @Nullable Dispatch dispatch;
  private Optional<Resume> resume = Optional.empty();
  private Optional<Instant> deadline = Optional.empty();
  private boolean woken;
  private SideEffects sideEffects = SideEffects.NONE;
  private LiveEventSink liveEventSink = LiveEventSink.NONE;
  private int attempt = 1;

  public static TestCall plain() {
    return new TestCall();
  }

  /// @param json the state
  public TestCall state(String json) {
    state = GraphState.of((ObjectValue) Json.read(json));
    return this;
  }

  public TestCall context(PromptContext given) {
    context = given;
    return this;
  }

  public TestCall dispatch(String id, String input) {
    dispatch =
        new Dispatch(id, new NodeId("n"), (ObjectValue) Json.read(input), ObjectValue.empty());
    return this;
  }

  public TestCall answer(Value answer) {
    resume = Optional.of(new Resume("i-1", answer));
    return this;
  }

  public TestCall deadline(Instant at) {
    deadline = Optional.of(at);
    return this;
  }

  public TestCall wokenUp() {
    woken = true;
    return this;
  }

  /// What attempts before this one kept; it keeps its own there.
  public TestCall parts(SideEffects given) {
    sideEffects = given;
    return this;
  }

  public TestCall watchers(LiveEventSink given) {
    liveEventSink = given;
    return this;
  }

  public TestCall attempt(int number) {
    attempt = number;
    return this;
  }

  public static Node node(String type, String config) {
    return node(type, config, Node.Routing.DEFAULT);
  }

  public static Node node(String type, String config, Node.Routing routing) {
    return new Node(
        new NodeId("n"), type, (ObjectValue) Json.read(config), Node.Policy.DEFAULT, routing);
  }

  @Override
  public Value get(String variable) {
    return switch (variable) {
      case "state" -> state.channels();
      case "input" -> task().input();
      case "dispatch" ->
          dispatch == null
              ? Value.NULL
              : ObjectValue.of("id", Value.of(dispatch.id())).plus("metadata", dispatch.metadata());
      case "resume" ->
          resume
              .<Value>map(it ->
                  ObjectValue.of("interrupt_id", Value.of(it.interruptId()))
                      .plus("answer", it.answer()))
              .orElse(Value.NULL);
      case "variables" -> context.variables();
      case "node" -> Value.of("n");
      default -> Value.NULL;
    };
  }

  @Override
  public RunHeader run() {
    return TestRunHeader.of("run-1", "graph", 3, 0, ObjectValue.of("tenant", Value.of("t")));
  }

  @Override
  public Task task() {
    var id = dispatch == null ? null : dispatch.id();
    return new Task(new TaskKey(7, new NodeId("n"), id), node("test", "{}"), dispatch);
  }

  @Override
  public int numVertices() {
    return 3;
  }

  @Override
  public GraphState state() {
    return state;
  }

  @Override
  public PromptContext context() {
    return context;
  }

  @Override
  public String messageId() {
    return "m-answer";
  }

  @Override
  public Optional<Resume> resume() {
    return resume;
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public String idempotencyKey() {
    return "key-1";
  }

  @Override
  public SideEffects parts() {
    return sideEffects;
  }

  @Override
  public LiveEventSink watchers() {
    return liveEventSink;
  }

  @Override
  public Optional<Instant> deadline() {
    return deadline;
  }

  @Override
  public boolean woken() {
    return woken;
  }

  @Override
  public Instant now() {
    return NOW;
  }

  @Override
  public Instant clock() {
    return NOW;
  }
}
