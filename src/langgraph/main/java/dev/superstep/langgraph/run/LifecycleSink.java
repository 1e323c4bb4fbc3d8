package dev.superstep.langgraph.run;

import dev.superstep.engine.run.CustomEvent;
import dev.superstep.engine.run.Event;
import dev.superstep.run.EventView;
import dev.superstep.run.stream.EventSink;
import dev.superstep.run.stream.StreamClosed;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.io.IOException;
import java.util.Optional;

/// Says when a run begins, goes on and stops.
final class LifecycleSink implements EventSink {
  private final EventSink sink;
  private final ProtocolFrames frames;
  private final CheckpointNamespace namespace;
  private final String graph;
  private boolean moves;

  /// @param sink writes the run
  LifecycleSink(
      EventSink sink, ProtocolFrames frames, CheckpointNamespace namespace, String graph) {
    this.sink = sink;
    this.frames = frames;
    this.namespace = namespace;
    this.graph = graph;
  }

  @Override
  public boolean stored(EventView view) throws IOException {
    var event = view.event();
    long seq = view.seq().orElseThrow();
    if (event.type().equals("run.started") || event.type().equals("run.resumed")) {
      say(EventNumber.before(frames.era(), frames.ordinal(), seq), begin(), Optional.empty());
    }
    // What was stopped before has said so: new input drops its questions.
    moves |= !event.type().equals("run.cancelled");
    boolean last = sink.stored(view);
    var end = end(event);
    if (end.isPresent() && moves) {
      say(EventNumber.behind(frames.era(), frames.ordinal(), seq), end.get(), error(event));
    }
    if (namespace.isRoot()) {
      frames.reached(seq);
    }
    return last;
  }

  private String begin() {
    return namespace.isRoot() ? "running" : "started";
  }

  private static Optional<String> end(Event event) {
    return switch (event.type()) {
      case "run.interrupted", "run.cancelled" -> Optional.of("interrupted");
      case "run.succeeded" -> Optional.of("completed");
      case "run.failed" -> Optional.of("failed");
      default -> Optional.empty();
    };
  }

  private static Optional<Value> error(Event event) {
    return event.type().equals("run.failed")
        ? Optional.of(event.data().getOr("message", Value.of("failed")))
        : Optional.empty();
  }

  private void say(EventNumber number, String what, Optional<Value> error) throws IOException {
    var data = ObjectValue.builder().put("event", what).put("graph_name", Tenant.shown(graph));
    error.ifPresent(it -> data.put("error", it));
    frames.lifecycle(number, namespace, data.build());
  }

  /// What nodes report is written when it is stored, so that it has one id.
  @Override
  public void live(EventView event) throws IOException {
    moves = true;
    if (!event.event().type().equals(CustomEvent.TYPE)) {
      sink.live(event);
    }
  }

  @Override
  public void position(long seq) throws IOException {
    sink.position(seq);
  }

  @Override
  public void history(int era) {
    frames.history(era);
    sink.history(era);
  }

  @Override
  public void rewound(String run, long through) throws IOException {
    sink.rewound(run, through);
  }

  @Override
  public void comment() throws IOException {
    sink.comment();
  }

  @Override
  public void cut(String run, StreamClosed reason) throws IOException {
    sink.cut(run, reason);
  }

  @Override
  public void flush() throws IOException {
    sink.flush();
  }
}
