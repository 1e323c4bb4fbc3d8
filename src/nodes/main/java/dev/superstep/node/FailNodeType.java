package dev.superstep.node;

import dev.superstep.definition.Codes;
import dev.superstep.definition.form.Names;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.expression.Expression;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/// Fails the run with an error of the graph's own.
final class FailNodeType extends ConfiguredNodeType {
  private static final String CODE = "code";
  private static final int SHOWN_MAX = 80;

  FailNodeType(Expressions expressions) {
    super("fail", expressions);
  }

  @Override
  protected Supplier<NodeRunner> read(NodeConfig config) {
    var code = config.located(CODE);
    var message = config.located("message");
    var details = config.located("details");
    config
        .literal(CODE)
        .filter(it -> !Names.isErrorCode(it))
        .ifPresent(it ->
            config.refuse(
                CODE,
                Codes.INVALID_VALUE,
                "'%s' is no error code: write a lower-case letter, then up to 63 lower-case letters, digits or '_', like sold_out"
                    .formatted(shown(it))));
    return () -> new FailNode(code, message, details);
  }

  private static String shown(String code) {
    return code.length() <= SHOWN_MAX ? code : code.substring(0, SHOWN_MAX) + "…";
  }

  @Override
  public void advise(Node node, GraphOutline graph, Location at) {
    config(node, graph)
        .literal(CODE)
        .flatMap(OwnCodes::reserved)
        .ifPresent(it ->
            at.key(CODE)
                .error(
                    Codes.RESERVED_NAME,
                    it
                        + "; choose another, or pass the code of a caught failure on with a"
                        + " template"));
  }

  @Override
  public boolean endsRun() {
    return true;
  }

  @Override
  public Optional<Duration> defaultTimeout() {
    return Optional.empty();
  }

  @Override
  public boolean makesAttempts() {
    return false;
  }

  /// Ends the run with an error once its superstep commits.
  ///
  /// A computed code may be one of the service: that of a failure which was caught, and is passed
  /// on.
  private record FailNode(Expression code, Expression message, Expression details)
      implements NodeRunner {
    /// Canonical bytes.
    private static final long DETAILS_BYTES_MAX = 64 << 10;

    private static final int SHOWN_MAX = 80;

    @Override
    public Outcome run(NodeCall call) {
      var error =
          new TaskError(
              code(code.evaluate(call)),
              HistoryText.of(message.evaluate(call)),
              Retryable.NO,
              Optional.empty(),
              details(details.evaluate(call)));
      return new Outcome.Done(NodeResult.failingRun(error));
    }

    private static String code(Value value) {
      if (value instanceof Value.Text(var text) && Names.isErrorCode(text)) {
        return text;
      }
      throw refused(
          "code",
          "must be a lower-case letter, then up to 63 lower-case letters, digits or '_'; got a "
              + value.typeName()
              + ": "
              + shown(value));
    }

    private static String shown(Value value) {
      var text = HistoryText.of(value);
      return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "…";
    }

    private static ObjectValue details(Value value) {
      return switch (value) {
        case Value.Null _ -> ObjectValue.empty();
        case ObjectValue object when Canonical.size(object) <= DETAILS_BYTES_MAX -> object;
        case ObjectValue _ ->
            throw refused("details", "is larger than %d bytes".formatted(DETAILS_BYTES_MAX));
        case Value other -> throw refused("details", "must be an object; got " + other.typeName());
      };
    }

    private static TaskFailedException refused(String key, String why) {
      return TaskFailedException.permanent("bad_node_result", "/%s: %s".formatted(key, why));
    }

    @Override
    public boolean pure() {
      return true;
    }
  }
}
