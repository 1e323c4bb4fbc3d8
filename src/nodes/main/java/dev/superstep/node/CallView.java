package dev.superstep.node;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.CustomEvent;
import dev.superstep.engine.run.Dispatch;
import dev.superstep.engine.run.Resume;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Shows a user's function the call of its node.
record CallView(NodeCall call, ObjectValue arguments, EmittedEvents events, Steps steps)
    implements FunctionCall {

  @Override
  public void emit(String name, @Nullable Object data) {
    events.emit(new CustomEvent(name, PlainData.toValue(data)));
  }

  @Override
  public String node() {
    return call.task().node().id().value();
  }

  @Override
  public int superstep() {
    return call.task().key().superstep();
  }

  @Override
  public int numVertices() {
    return call.numVertices();
  }

  @Override
  public RunHeader run() {
    return call.run();
  }

  @Override
  public Optional<Dispatch> dispatch() {
    return Optional.ofNullable(call.task().dispatch());
  }

  @Override
  public Optional<Resume> resume() {
    return call.resume();
  }

  @Override
  public PromptContext context() {
    return call.context();
  }

  @Override
  public int attempt() {
    return call.attempt();
  }

  @Override
  public String idempotencyKey() {
    return call.idempotencyKey();
  }

  @Override
  public Optional<Instant> deadline() {
    return call.deadline();
  }

  @Override
  public Instant now() {
    return call.now();
  }
}
