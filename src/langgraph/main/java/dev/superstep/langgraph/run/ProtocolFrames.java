package dev.superstep.langgraph.run;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.langgraph.run.MessageEvents.MessageEvent;
import dev.superstep.langgraph.run.StreamPart.CheckpointPayload;
import dev.superstep.langgraph.run.StreamPart.CompleteMessage;
import dev.superstep.langgraph.run.StreamPart.CustomData;
import dev.superstep.langgraph.run.StreamPart.DebugPayload;
import dev.superstep.langgraph.run.StreamPart.InterruptUpdate;
import dev.superstep.langgraph.run.StreamPart.MessageChunk;
import dev.superstep.langgraph.run.StreamPart.MessageEnd;
import dev.superstep.langgraph.run.StreamPart.MessageIntroduction;
import dev.superstep.langgraph.run.StreamPart.MessageOrigin;
import dev.superstep.langgraph.run.StreamPart.NodeUpdate;
import dev.superstep.langgraph.run.StreamPart.PartialMessage;
import dev.superstep.langgraph.run.StreamPart.RunError;
import dev.superstep.langgraph.run.StreamPart.RunLifecycle;
import dev.superstep.langgraph.run.StreamPart.RunMetadata;
import dev.superstep.langgraph.run.StreamPart.StreamRewound;
import dev.superstep.langgraph.run.StreamPart.TaskPayload;
import dev.superstep.langgraph.run.StreamPart.TaskResultPayload;
import dev.superstep.langgraph.run.StreamPart.ToolEnd;
import dev.superstep.langgraph.run.StreamPart.ToolStart;
import dev.superstep.langgraph.run.StreamPart.ValuesPart;
import dev.superstep.langgraph.run.StreamPosition.TextPosition;
import dev.superstep.run.stream.EventSink;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// The form in which this protocol writes one run: what other streams write as one event is one or
/// several here.
final class ProtocolFrames implements Frames {
  private final ProtocolWriter writer;
  private final long ordinal;
  private final MessageEvents messages = new MessageEvents();
  private volatile long seq;
  private volatile int era;

  /// @param ordinal of the run in its thread
  ProtocolFrames(ProtocolWriter writer, long ordinal, long after) {
    this.writer = writer;
    this.ordinal = ordinal;
    this.seq = after;
  }

  /// The stored event up to which the run is written.
  long seq() {
    return seq;
  }

  int era() {
    return era;
  }

  /// From now on, events are sent in this history of the database: numbers begin anew.
  void history(int now) {
    if (era != 0 && era != now) {
      writer.forget();
    }
    era = now;
  }

  void reached(long stored) {
    seq = stored;
  }

  @Override
  public void write(
      StreamPart part, CheckpointNamespace namespace, Optional<StreamPosition> position)
      throws IOException {
    var place =
        new FrameSource(
            namespace, position.filter(it -> it.place() instanceof TextPosition.Stored));
    switch (part) {
      case ValuesPart values -> send(place, "values", values.state());
      case NodeUpdate update -> update(place, update);
      case InterruptUpdate update -> interrupted(place, update.interrupts());
      case CheckpointPayload checkpoint -> send(place, "checkpoints", envelope(checkpoint));
      case TaskPayload task -> send(place, "tasks", task.data());
      case TaskResultPayload task -> send(place, "tasks", task.data());
      case CustomData(var data) -> custom(place, data, ObjectValue.orEmpty(data).findText("name"));
      case StreamRewound rewound -> custom(place, rewound.data(), Optional.of(rewound.event()));
      case ToolStart start ->
          send(
              place,
              "tools",
              tool("tool-started", start.id(), start.name()).plus("input", start.input()));
      case ToolEnd end -> send(place, "tools", ended(end));
      case MessageChunk chunk -> send(place, chunk.origin(), messages.of(chunk));
      case MessageEnd end -> send(place, end.origin(), messages.of(end));
      case RunMetadata _,
          RunLifecycle _,
          RunError _,
          DebugPayload _,
          MessageIntroduction _,
          PartialMessage _,
          CompleteMessage _ -> {
        // The lifecycle says it, or it is not subscribed to.
      }
    }
  }

  /// Where an event comes from.
  private record FrameSource(CheckpointNamespace namespace, Optional<StreamPosition> position) {}

  private void update(FrameSource place, NodeUpdate update) throws IOException {
    if (update.isCached()) {
      // A client that follows the thread has got it from the run before.
      return;
    }
    var data =
        ObjectValue.of("node", update.node()).plus("values", ObjectValue.orEmpty(update.change()));
    send(
        new ProtocolEvent(
            id(place, EventNumber.LAST),
            "updates",
            place.namespace(),
            Optional.of(update.node()),
            data),
        place,
        EventNumber.LAST);
  }

  /// The outermost run asks for those inside it, too.
  private void interrupted(FrameSource place, List<StoredInterrupt> interrupts) throws IOException {
    for (int i = 0; i < interrupts.size() && place.namespace().isRoot(); i++) {
      var data =
          ObjectValue.of("interrupt_id", interrupts.get(i).id())
              .plus("payload", interrupts.get(i).question().payload());
      int part = i == interrupts.size() - 1 ? EventNumber.LAST : Math.min(i, EventNumber.LAST - 1);
      send(
          new ProtocolEvent(
              id(place, i) + "q",
              ProtocolEvent.INPUT,
              CheckpointNamespace.ROOT,
              Optional.empty(),
              data),
          place,
          part);
    }
  }

  private static ObjectValue envelope(CheckpointPayload checkpoint) {
    var head = checkpoint.state().head();
    var envelope =
        ObjectValue.of("id", head.checkpoint())
            .plus("step", head.step())
            .plus("source", head.source());
    return head.parent().map(it -> envelope.plus("parent_id", it)).orElse(envelope);
  }

  private static ObjectValue tool(String event, Value call, Value name) {
    return ObjectValue.of("event", event).plus("tool_call_id", call).plus("tool_name", name);
  }

  private static ObjectValue ended(ToolEnd end) {
    return end.answer().isError()
        ? tool("tool-error", end.id(), end.name()).plus("message", end.content())
        : tool("tool-finished", end.id(), end.name()).plus("output", end.content());
  }

  private void custom(FrameSource place, Value data, Optional<String> name) throws IOException {
    var payload = ObjectValue.of("payload", data);
    send(
        place,
        name.map(it -> ProtocolEvent.CUSTOM + ":" + it).orElse(ProtocolEvent.CUSTOM),
        name.map(it -> payload.plus("name", it)).orElse(payload));
  }

  private void send(FrameSource place, MessageOrigin origin, List<MessageEvent> events)
      throws IOException {
    for (var event : events) {
      send(
          new ProtocolEvent(
              event.id(),
              "messages",
              place.namespace().inside(origin.namespace()),
              Optional.of(origin.node()),
              event.data()),
          place,
          event.place());
    }
  }

  private void send(FrameSource place, String channel, ObjectValue data) throws IOException {
    send(
        new ProtocolEvent(
            id(place, EventNumber.LAST), channel, place.namespace(), Optional.empty(), data),
        place,
        EventNumber.LAST);
  }

  private void send(ProtocolEvent event, FrameSource place, int part) throws IOException {
    var number =
        place
            .position()
            .filter(_ -> place.namespace().isRoot())
            .map(it -> new EventNumber(it.era(), ordinal, it.seq(), index(it), part));
    writer.write(event, number, System.currentTimeMillis());
  }

  private static long index(StreamPosition position) {
    return position.place() instanceof TextPosition.Stored(var index) ? index : 0;
  }

  private String id(FrameSource place, int part) {
    return "%s%d%s:%d.%d.%d"
        .formatted(
            history(),
            ordinal,
            place.namespace().suffix(),
            place.position().map(StreamPosition::seq).orElse(seq),
            place.position().map(ProtocolFrames::index).orElse(0L),
            part);
  }

  /// Clients drop an event whose id they have seen: one of a lost history is another one.
  private String history() {
    return era <= 1 ? "" : era + "/";
  }

  /// @param namespace of the run
  void lifecycle(EventNumber number, CheckpointNamespace namespace, ObjectValue data)
      throws IOException {
    var id =
        "%s%d%s:%d.%s"
            .formatted(
                history(),
                ordinal,
                namespace.suffix(),
                number.seq(),
                number.isLast() ? "end" : "begin");
    var event = new ProtocolEvent(id, "lifecycle", namespace, Optional.empty(), data);
    writer.write(
        event, Optional.of(number).filter(_ -> namespace.isRoot()), System.currentTimeMillis());
  }

  long ordinal() {
    return ordinal;
  }

  @Override
  public void comment() throws IOException {
    writer.comment();
  }

  @Override
  public void flush() throws IOException {
    writer.flush();
  }

  @Override
  public boolean repeatsMessages() {
    return true;
  }

  @Override
  public EventSink watched(EventSink sink, CheckpointNamespace namespace, String graph) {
    return new LifecycleSink(sink, this, namespace, graph);
  }

  /// The answer goes on with the next run.
  @Override
  public void close() {}
}
