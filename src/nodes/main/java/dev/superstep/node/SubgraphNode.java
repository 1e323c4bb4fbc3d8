package dev.superstep.node;

import dev.superstep.engine.node.ChildRequest;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskError;
import dev.superstep.expression.Expression;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Optional;

/// Starts a child run, waits for it without holding a thread, and builds the node result from its
/// output.
///
/// @param input empty: the dispatch input, else `{}`
/// @param result over `response`, the child's output
record SubgraphNode(Called called, Optional<Expression> input, ResultTemplate result)
    implements MockableNode {
  /// Before it looks again at graphs that could not be read.
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /// @param version empty: the newest when the child begins
  record Called(String graph, Optional<Integer> version) {}

  /// It computes what is to begin, and has no effect: that is the engine's.
  @Override
  public boolean pure() {
    return true;
  }

  @Override
  public boolean beginsRuns() {
    return true;
  }

  /// The child's usage counts as that of its task.
  @Override
  public boolean spends() {
    return true;
  }

  @Override
  public Outcome run(NodeCall call) {
    return call.childEnd().map(it -> ended(call, it)).orElseGet(() -> begin(call));
  }

  @Override
  public NodeRunner answeredBy(Answers answers) {
    return call -> {
      input.ifPresent(it -> it.evaluate(call));
      return answers.of(call) instanceof ObjectValue response
          ? new Outcome.Done(result.added(NodeResult.NOTHING, call, response))
          : failed("bad_mock", "the mock of a subgraph node is the output of its graph: an object");
    };
  }

  private Outcome begin(NodeCall call) {
    var value = input.map(it -> it.evaluate(call)).orElseGet(() -> call.task().input());
    if (!(value instanceof ObjectValue || value instanceof Value.Null)) {
      return failed("invalid_input", "/input: must be an object, not " + value.typeName());
    }
    var given = ObjectValue.orEmpty(value);
    return call.prepareChild(new ChildRequest(called.graph(), called.version(), given))
        .<Outcome>map(Outcome.Child::new)
        .orElseGet(() -> new Outcome.Waiting(call.clock().plus(PAUSE)));
  }

  private Outcome ended(NodeCall call, ChildEnd end) {
    return switch (end) {
      case ChildEnd.Failed(var error, _) -> new Outcome.Failed(error);
      case ChildEnd.Succeeded(var response, _) ->
          new Outcome.Done(result.added(NodeResult.NOTHING, call, response));
    };
  }

  private static Outcome failed(String code, String message) {
    return new Outcome.Failed(TaskError.permanent(code, message));
  }
}
