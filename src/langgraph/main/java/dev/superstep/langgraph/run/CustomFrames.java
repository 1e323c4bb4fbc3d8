package dev.superstep.langgraph.run;

import dev.superstep.engine.run.Event;
import dev.superstep.langgraph.run.StreamPart.CustomData;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/// Writes what the nodes of one run report: at once, if they report it at once, and what a client
/// has not got by then when it is stored. So each event of a task that ends comes once, however
/// many attempts it takes. One that repeats an event says nothing new; one that reports something
/// else, or not at once, replaces nothing of what the client has got.
final class CustomFrames {
  private final Emitter emitter;

  /// What the client has got of the superstep that is not committed, live or stored: a live event
  /// may arrive behind the stored one.
  private final Set<String> sent = new HashSet<>();

  CustomFrames(Emitter emitter) {
    this.emitter = emitter;
  }

  void live(Event event) throws IOException {
    if (isNew(event)) {
      emitter.live(StreamMode.CUSTOM, () -> new CustomData(data(event)));
    }
  }

  void stored(Event event) throws IOException {
    if (isNew(event)) {
      emitter.emit(StreamMode.CUSTOM, () -> new CustomData(data(event)));
    }
  }

  private boolean isNew(Event event) {
    return emitter.wants(StreamMode.CUSTOM) && sent.add(key(event));
  }

  /// The superstep is committed, or the database has gone back.
  void forget() {
    sent.clear();
  }

  private static Value data(Event event) {
    return event.data().getOr("data", Value.NULL);
  }

  /// The place among the events of the task, and a digest of what is there.
  private static String key(Event event) {
    var data = UUID.nameUUIDFromBytes(Canonical.bytes(data(event)));
    return MessageFrames.task(event) + " " + event.data().getOr("index", Value.NULL) + " " + data;
  }
}
