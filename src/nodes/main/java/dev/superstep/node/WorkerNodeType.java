package dev.superstep.node;

import dev.superstep.definition.Codes;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.expression.Expression;
import dev.superstep.expression.Expressions;
import dev.superstep.node.WorkerNode.NodeTimes;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Queues a task for processes of the operator's own, and waits for one to do it.
final class WorkerNodeType extends ConfiguredNodeType {
  private static final String TYPE = "task_type";
  private static final String INPUT = "input";
  private static final String HEARTBEAT = "heartbeat";
  private static final String START = "schedule_to_start";
  private static final String NOBODY = "on_no_worker";

  private final CallbackSettings callbacks;

  WorkerNodeType(Expressions expressions, CallbackSettings callbacks) {
    super("worker", expressions);
    this.callbacks = callbacks;
  }

  @Override
  protected Supplier<NodeRunner> read(NodeConfig config) {
    var type = config.text(key(config, TYPE, "queue"));
    if (type.isEmpty()) {
      config.refuse(TYPE, Codes.MISSING_FIELD, "is required: what workers claim tasks by");
    }
    checkNobody(config);
    var input = config.findTemplate(key(config, INPUT, "arguments"));
    var output = config.schema("output_schema");
    var result = ResultTemplate.of(config);
    var start =
        config.has(START) ? Optional.of(config.duration(START)) : Optional.<Expression>empty();
    var heartbeat = heartbeat(config);
    var callback = CallbackWait.of(config, callbacks);
    return () ->
        new WorkerNode(
            type.orElseThrow(), input, output, result, new NodeTimes(start, heartbeat), callback);
  }

  /// Definitions that were posted while no server ran such nodes have other names.
  private static String key(NodeConfig config, String key, String earlier) {
    if (!config.has(earlier)) {
      return key;
    }
    if (config.has(key)) {
      config.refuse(
          earlier, Codes.NOT_APPLICABLE, "is an earlier name of %s; remove one".formatted(key));
    }
    return earlier;
  }

  private static Expression heartbeat(NodeConfig config) {
    var key = key(config, HEARTBEAT, "lease");
    return config.has(key)
        ? config.duration(key)
        : config.template(HEARTBEAT, Value.of(config.text(HEARTBEAT).orElseThrow()));
  }

  private static void checkNobody(NodeConfig config) {
    boolean fails = config.isText(NOBODY, "fail");
    if (fails && !config.has(START)) {
      config.refuse(
          START, Codes.MISSING_FIELD, "is required by on_no_worker: fail: how long to wait");
    }
    if (config.isText(NOBODY, "wait") && config.has(START)) {
      config.refuse(
          START,
          Codes.NOT_APPLICABLE,
          "a task waits for a worker without end by on_no_worker: wait; remove one");
    }
  }

  /// A worker that is heard of may take its time.
  @Override
  public Optional<Duration> defaultTimeout() {
    return Optional.empty();
  }

  /// From the claim on.
  @Override
  public boolean mayTimeOut() {
    return true;
  }

  @Override
  protected @Nullable Value result(ObjectValue config) {
    var result = super.result(config);
    return result == null ? COMPUTED : result;
  }

  @Override
  public boolean mayBeCached() {
    return false;
  }
}
