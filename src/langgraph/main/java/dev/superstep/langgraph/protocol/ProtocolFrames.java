package dev.superstep.langgraph.protocol;

import dev.superstep.langgraph.run.Frames;
import dev.superstep.langgraph.run.OpenQuestions;
import dev.superstep.langgraph.run.StreamAnswers;
import dev.superstep.langgraph.run.StreamPosition;
import dev.superstep.langgraph.run.StreamPosition.TextPosition;
import dev.superstep.run.stream.EventSink;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The form in which this protocol writes one run: what other streams write as one event is one or
/// several here.
final class ProtocolFrames implements Frames {
  private static final String ID = "id";

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
  public void write(String event, String namespace, Value data, Optional<StreamPosition> position)
      throws IOException {
    var place =
        new FrameSource(
            namespace, position.filter(it -> it.place() instanceof TextPosition.Stored));
    switch (event) {
      case "values" -> values(place, data);
      case "updates" -> updates(place, data);
      case "checkpoints" -> checkpoint(place, data);
      case "tasks" -> object(place, "tasks", data);
      case "custom" -> send(place, "custom", custom(data));
      case "rewound" ->
          send(place, "custom", ObjectValue.of("payload", data).plus("name", Value.of(event)));
      case "tools" -> tool(place, data);
      case "messages" -> {
        for (var part : messages.of(data, !place.isLive())) {
          var where =
              part.namespace().isEmpty() ? place.namespaces() : place.inside(part.namespace());
          send(
              new ProtocolEvent(
                  part.id(), "messages", where, Optional.of(part.node()), part.data()),
              place,
              part.place());
        }
      }
      default -> {
        // The lifecycle says it.
      }
    }
  }

  /// Where an event comes from.
  private record FrameSource(String namespace, Optional<StreamPosition> position) {
    boolean isLive() {
      return position.isEmpty();
    }

    List<String> namespaces() {
      return ProtocolFrames.namespaces(namespace);
    }

    List<String> inside(String task) {
      return ProtocolFrames.namespaces(namespace + "|" + task);
    }
  }

  private static List<String> namespaces(String namespace) {
    return namespace.isEmpty() ? List.of() : Arrays.asList(namespace.substring(1).split("\\|", -1));
  }

  private void values(FrameSource place, Value data) throws IOException {
    if (data instanceof ObjectValue values) {
      send(place, "values", values.minus(OpenQuestions.KEY));
    }
  }

  private void updates(FrameSource place, Value data) throws IOException {
    if (!(data instanceof ObjectValue update)) {
      return;
    }
    if (update.get(OpenQuestions.KEY) instanceof ListValue questions) {
      if (place.namespace().isEmpty()) {
        interrupted(place, questions);
      }
      return;
    }
    if (update.has(StreamAnswers.CACHED)) {
      // Whoever follows the thread has got it from the run before.
      return;
    }
    for (var node : update.asMap().keySet()) {
      var values = update.get(node) instanceof ObjectValue some ? some : ObjectValue.empty();
      var named = ObjectValue.of("node", Value.of(node)).plus("values", values);
      send(
          new ProtocolEvent(
              id(place, EventNumber.LAST), "updates", place.namespaces(), Optional.of(node), named),
          place,
          EventNumber.LAST);
    }
  }

  /// The outermost run asks for those inside it, too.
  private void interrupted(FrameSource place, ListValue questions) throws IOException {
    for (int i = 0; i < questions.size(); i++) {
      if (questions.get(i) instanceof ObjectValue question) {
        var data =
            ObjectValue.of("interrupt_id", question.getOr(ID, Value.NULL))
                .plus("payload", question.getOr("value", Value.NULL));
        int part = i == questions.size() - 1 ? EventNumber.LAST : Math.min(i, EventNumber.LAST - 1);
        send(
            new ProtocolEvent(
                id(place, i) + "q", "input.requested", List.of(), Optional.empty(), data),
            place,
            part);
      }
    }
  }

  private void checkpoint(FrameSource place, Value data) throws IOException {
    if (data instanceof ObjectValue state
        && state.get("metadata") instanceof ObjectValue metadata
        && id(state, "checkpoint") instanceof Value.Text id) {
      var envelope =
          ObjectValue.builder()
              .put(ID, id)
              .put("step", metadata.getOr("step", Value.NULL))
              .put("source", metadata.getOr("source", Value.NULL));
      if (id(state, "parent_checkpoint") instanceof Value.Text parent) {
        envelope.put("parent_id", parent);
      }
      send(place, "checkpoints", envelope.build());
    }
  }

  private static Value id(ObjectValue state, String member) {
    return state.get(member) instanceof ObjectValue checkpoint
        ? checkpoint.getOr("checkpoint_id", Value.NULL)
        : Value.NULL;
  }

  private void object(FrameSource place, String method, Value data) throws IOException {
    if (data instanceof ObjectValue object) {
      send(place, method, object);
    }
  }

  private void tool(FrameSource place, Value data) throws IOException {
    if (data instanceof ObjectValue call) {
      send(place, "tools", ToolEvents.of(call));
    }
  }

  private static ObjectValue custom(Value data) {
    var event = ObjectValue.of("payload", data);
    return data instanceof ObjectValue object && object.get("name") instanceof Value.Text name
        ? event.plus("name", name)
        : event;
  }

  private void send(FrameSource place, String method, ObjectValue data) throws IOException {
    send(
        new ProtocolEvent(
            id(place, EventNumber.LAST), method, place.namespaces(), Optional.empty(), data),
        place,
        EventNumber.LAST);
  }

  private void send(ProtocolEvent event, FrameSource place, int part) throws IOException {
    var number =
        place
            .position()
            .filter(_ -> place.namespace().isEmpty())
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
            place.namespace(),
            place.position().map(StreamPosition::seq).orElse(seq),
            place.position().map(ProtocolFrames::index).orElse(0L),
            part);
  }

  /// Clients drop an event whose id they have seen: one of a lost history is another one.
  private String history() {
    return era <= 1 ? "" : era + "/";
  }

  /// @param namespace of the run
  void lifecycle(EventNumber number, String namespace, ObjectValue data) throws IOException {
    var id =
        "%s%d%s:%d.%s"
            .formatted(
                history(), ordinal, namespace, number.seq(), number.isLast() ? "end" : "begin");
    var event = new ProtocolEvent(id, "lifecycle", namespaces(namespace), Optional.empty(), data);
    writer.write(
        event, Optional.of(number).filter(_ -> namespace.isEmpty()), System.currentTimeMillis());
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
  public EventSink watched(EventSink sink, String namespace, String graph) {
    return new LifecycleSink(sink, this, namespace, graph);
  }

  /// The answer goes on with the next run.
  @Override
  public void close() {}

  /// Writes calls of tools as this protocol names what happens to them.
  private static final class ToolEvents {
    private static final Value START = Value.of("on_tool_start");
    private static final Value ERROR = Value.of("on_tool_error");

    private ToolEvents() {}

    /// @param call as streams of runs write it
    static ObjectValue of(ObjectValue call) {
      var kind = call.getOr("event", Value.NULL);
      var event =
          ObjectValue.builder()
              .put("tool_call_id", call.getOr("toolCallId", Value.NULL))
              .put("tool_name", call.getOr("name", Value.NULL));
      if (kind.equals(START)) {
        event.put("event", Value.of("tool-started")).put("input", call.getOr("input", Value.NULL));
      } else if (kind.equals(ERROR)) {
        event.put("event", Value.of("tool-error")).put("message", call.getOr("error", Value.NULL));
      } else {
        event
            .put("event", Value.of("tool-finished"))
            .put("output", call.getOr("output", Value.NULL));
      }
      return event.build();
    }
  }
}
