package dev.superstep.checkpoint;

import dev.superstep.engine.Event;
import dev.superstep.graph.NodeId;
import dev.superstep.state.ListValue;
import dev.superstep.state.Value;
import java.util.List;

/// The events of one commit in stored form; their numbers and time are the row's.
final class EventCodec {
  private EventCodec() {}

  static byte[] bytes(List<Event> events) {
    return Stored.bytes(ListValue.of(events.stream().map(EventCodec::write).toList()));
  }

  static List<Event> read(byte[] bytes) {
    if (!(Stored.value(bytes) instanceof ListValue list)) {
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
    var in = Stored.reader(value);
    return new Event(
        in.text("t"),
        in.find("s").map(it -> Math.toIntExact(ObjectReader.integer(it))),
        in.find("n").map(it -> new NodeId(ObjectReader.text(it))),
        in.find("d").map(ObjectReader::text),
        in.objectOrEmpty("x"));
  }
}
