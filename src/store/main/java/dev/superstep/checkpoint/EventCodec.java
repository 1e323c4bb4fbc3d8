package dev.superstep.checkpoint;

import dev.superstep.engine.run.Event;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.List;

/// Writes and reads the events of one commit; their numbers and time are the row's.
public final class EventCodec {
  private EventCodec() {}

  public static byte[] bytes(List<Event> events) {
    return StoredObject.bytes(ListValue.of(events.stream().map(EventCodec::write).toList()));
  }

  public static List<Event> read(byte[] bytes) {
    if (!(StoredObject.value(bytes) instanceof ListValue list)) {
      throw new CorruptCheckpointException("stored events are no list");
    }
    return list.stream().map(EventCodec::read).toList();
  }

  private static Value write(Event event) {
    return new ObjectWriter()
        .put("t", event.type())
        .put("s", event.superstep().map(it -> Value.of((long) it)))
        .put("n", event.node().map(it -> Value.of(it.value())))
        .put("d", event.dispatchId().map(Value::of))
        .unlessEmpty("x", event.data())
        .value();
  }

  private static Event read(Value value) {
    var in = StoredObject.reader(value);
    return new Event(
        in.text("t"),
        in.find("s").map(it -> Math.toIntExact(ObjectReader.integer(it))),
        in.find("n").map(it -> new NodeId(ObjectReader.text(it))),
        in.find("d").map(ObjectReader::text),
        in.objectOrEmpty("x"));
  }
}
