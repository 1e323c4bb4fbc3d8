package dev.superstep.node;

import dev.superstep.definition.Codes;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.expression.Expression;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Scope;
import dev.superstep.graph.Violation;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What becomes of the response of a node: a node result as templates over `response` and the
/// variables of every expression. It is evaluated within the attempt that got the response.
///
/// @param templates what they give is read by [NodeResults]
/// @param ifEmpty where a `dispatch` that comes out empty leads, in place of the node's edges,
///   unless `goto` names a target; empty if no dispatch is configured
public record ResultTemplate(Expression templates, Optional<NodeId> ifEmpty) {
  /// The member of `config`, wherever a type has it.
  public static final String KEY = "result";

  private static final String RESPONSE = "response";

  /// The node's `config.result`, if it has one; names that it gives literally are checked.
  public static Optional<ResultTemplate> of(NodeConfig config) {
    if (config.find(KEY).orElse(Value.NULL) instanceof ObjectValue written) {
      new LiteralReferences(config).check(KEY + "/", written);
    }
    return of(KEY, config);
  }

  /// Like [#of(NodeConfig)], refusing the short form beside it.
  ///
  /// @param shortForm the key that says for plain cases where the response goes
  public static Optional<ResultTemplate> insteadOf(String shortForm, NodeConfig config) {
    if (config.has(KEY) && config.has(shortForm)) {
      config.refuse(
          shortForm,
          Codes.NOT_APPLICABLE,
          "result says what becomes of the response; remove %s or result".formatted(shortForm));
    }
    return of(config);
  }

  /// A member of `config` that is a node result over `response`, as it stands.
  public static Optional<ResultTemplate> of(String key, NodeConfig config) {
    return config
        .find(key)
        .map(it ->
            new ResultTemplate(
                config.located(key),
                mayBeEmpty(it) ? config.node().routing().ifEmpty() : Optional.empty()));
  }

  /// Hands the response to a channel.
  public static ResultTemplate updating(String channel) {
    return new ResultTemplate(
        scope -> ObjectValue.of("update", ObjectValue.of(channel, scope.get(RESPONSE))),
        Optional.empty());
  }

  /// Without `result` the response goes to the channel named like the node. Where there can be
  /// none, which posting refuses, a version of an earlier release drops it, as it always did.
  ///
  /// @param refusal why there is no such channel
  public static ResultTemplate orOwnChannel(NodeConfig config, Optional<Violation> refusal) {
    return of(config)
        .orElseGet(() -> refusal.isPresent() ? nothing() : updating(config.node().id().value()));
  }

  /// Drops the response.
  public static ResultTemplate nothing() {
    return new ResultTemplate(_ -> ObjectValue.empty(), Optional.empty());
  }

  /// Whether a result that is written like this may name nodes.
  public static boolean mayRoute(@Nullable Value result) {
    return switch (result) {
      case null -> false;
      case ObjectValue written -> written.has("goto") || written.has("dispatch");
      case Value _ -> true;
    };
  }

  /// Whether a result that is written like this can come to no dispatches.
  public static boolean mayBeEmpty(@Nullable Value result) {
    return result instanceof ObjectValue written && written.has("dispatch");
  }

  /// The outcome that the response leads to.
  public Outcome outcome(NodeCall call, Value response) {
    return outcome(call.with(RESPONSE, response));
  }

  public Outcome outcome(Scope scope) {
    return switch (NodeResults.parse(templates.evaluate(scope))) {
      case Outcome.Done(var done) -> new Outcome.Done(routed(done));
      case Outcome other -> other;
    };
  }

  private NodeResult routed(NodeResult done) {
    if (ifEmpty.isEmpty() || !done.dispatch().isEmpty() || done.goTo() != null) {
      return done;
    }
    return done.leadingTo(List.of(ifEmpty.get().value()));
  }

  /// What the node writes by itself, and what the response leads to.
  ///
  /// @throws TaskFailedException if the templates give no node result, or a question: the node
  ///   would be called once more for its answer
  public NodeResult added(NodeResult own, NodeCall call, Value response) {
    return switch (outcome(call, response)) {
      case Outcome.Done(var result) -> together(own, result);
      case Outcome.Failed(var error) -> throw new TaskFailedException(error);
      case Outcome.Interrupted _,
          Outcome.Waiting _,
          Outcome.Parked _,
          Outcome.Child _,
          Outcome.Worker _,
          Outcome.Callback _ ->
          throw TaskFailedException.permanent(
              NodeResults.BAD_RESULT,
              "not a node result at /interrupt: a node of type '%s' cannot ask with its result; lead to a node of type 'human'"
                  .formatted(call.task().node().type()));
    };
  }

  private static NodeResult together(NodeResult own, NodeResult given) {
    return new NodeResult(
            together(own.change(), given.change()),
            given.goTo(),
            given.dispatch(),
            own.variables().plusAll(given.variables()),
            given.prompt() == null ? own.prompt() : given.prompt(),
            given.response() == null ? own.response() : given.response(),
            given.events(),
            own.historyMetadata().plusAll(given.historyMetadata()))
        .under(given.policy());
  }

  private static Change together(Change own, Change given) {
    var update = own.update();
    for (var member : given.update().asMap().entrySet()) {
      var channel = member.getKey();
      update = update.plus(channel, together(own.update().get(channel), member.getValue()));
    }
    var removed = new ArrayList<>(own.remove());
    removed.addAll(given.remove());
    var messages = new ArrayList<>(own.removeMessages());
    messages.addAll(given.removeMessages());
    return new Change(removed, messages, own.overwrite().plusAll(given.overwrite()), update);
  }

  /// A list that the node writes, its messages for one, is not lost to what the author adds there.
  private static Value together(@Nullable Value own, Value given) {
    if (!(own instanceof ListValue first)) {
      return given;
    }
    return given instanceof ListValue more ? first.plusAll(more) : first.plus(given);
  }
}
