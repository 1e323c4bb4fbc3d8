package dev.superstep.node;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.StepJournal;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskError;
import dev.superstep.expression.Expression;
import dev.superstep.state.ChangeDerivation;
import dev.superstep.state.Channels;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Calls the Java function of a `function` node.
record FunctionNode(
    NodeFunction function,
    Expression arguments,
    Channels channels,
    CallPurity purity,
    ModelRates rates)
    implements MockableNode {

  enum CallPurity {
    PURE,
    RECORDED
  }

  @Override
  public Outcome run(NodeCall call) throws Exception {
    return switch (arguments.evaluate(call)) {
      case Value.Null _ -> run(call, ObjectValue.empty());
      case ObjectValue object -> run(call, object);
      case Value other ->
          new Outcome.Failed(
              TaskError.permanent(
                  "bad_arguments", "/config/arguments must be an object; got " + other.typeName()));
    };
  }

  private Outcome run(NodeCall call, ObjectValue arguments) throws Exception {
    var events = new EmittedEvents(call);
    var steps = new FunctionSteps(pure() ? () -> StepJournal.NONE : call::steps, call);
    var view = new CallView(call, arguments, events, steps);
    try {
      return events.before(
          steps.settle(() -> outcome(call, withAgents(call, steps, () -> result(call, view)))));
    } catch (NodeException e) {
      return new Outcome.Failed(e.error());
    } catch (StepException e) {
      return new Outcome.Failed(e.error());
    }
  }

  /// A pure function has no steps, nor have the agents that it calls.
  private @Nullable FunctionResult withAgents(
      NodeCall call, FunctionSteps steps, Callable<@Nullable FunctionResult> function)
      throws Exception {
    if (pure()) {
      return function.call();
    }
    try (var scope = new AgentScope.AgentRun(steps, call, rates)) {
      return scope.scope("").within(function);
    }
  }

  private @Nullable FunctionResult result(NodeCall call, FunctionCall view) throws Exception {
    var dispatch = call.task().dispatch();
    var input = dispatch == null ? null : dispatch.input();
    try (var _ = WorkPermits.releaseDuringIo()) {
      return function.run(call.state(), input, view);
    }
  }

  /// Users' code is not checked for null: it may return it.
  private Outcome outcome(NodeCall call, @Nullable FunctionResult result) {
    if (result == null) {
      return new Outcome.Failed(
          TaskError.permanent(
              "bad_node_result", "the function returned null; return FunctionResult.done()"));
    }
    var outcome = NodeResults.parse(result.json());
    if (result.wholeState().isPresent() && outcome instanceof Outcome.Done(var done)) {
      return derived(call.state(), result.wholeState().get(), done);
    }
    return outcome;
  }

  private Outcome derived(GraphState before, GraphState after, NodeResult done) {
    return switch (ChangeDerivation.derive(channels, before, after)) {
      case ChangeDerivation.DerivedChange.NotDerivable(var channel, var message) ->
          new Outcome.Failed(
              TaskError.permanent(
                      "delta_not_derivable",
                      "channel '%s': %s; return FunctionResult.done().update(…) instead"
                          .formatted(channel, message))
                  .with("channel", Value.of(channel)));
      case ChangeDerivation.DerivedChange.Derived(var change) ->
          new Outcome.Done(done.with(change));
    };
  }

  @Override
  public NodeRunner answeredBy(Answers answers) {
    return call -> {
      arguments.evaluate(call);
      return NodeResults.parse(answers.of(call));
    };
  }

  @Override
  public boolean pure() {
    return purity == CallPurity.PURE;
  }

  /// It is a user's: nobody knows for how long it computes.
  @Override
  public boolean brief() {
    return false;
  }
}
