package dev.superstep.run.stream;

import dev.superstep.engine.run.Event;
import dev.superstep.graph.NodeId;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.run.EventView;
import dev.superstep.schedule.ReplicaNotifications;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Encodes live events as texts that replicas exchange: a line of JSON each, cut into parts that
/// fit a notification. A part begins with its number, which makes it unique, and a sign that shows
/// whether more follow. The parts of one message arrive in order.
final class LiveEventCodec {
  private static final char MORE = '+';
  private static final char LAST = '.';
  private static final int HEAD_BYTES = 10;
  private static final int PARTS_MAX = 10_000;

  private final StringBuilder parts = new StringBuilder();
  private int expected;

  static List<String> write(List<EventView> events) {
    var text = events.stream().map(LiveEventCodec::encodeLine).collect(Collectors.joining("\n"));
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    var cut = new ArrayList<String>();
    for (int from = 0; from < bytes.length; ) {
      int to = end(bytes, from);
      var part = new String(bytes, from, to - from, StandardCharsets.UTF_8);
      cut.add("%d%c%s".formatted(cut.size(), to < bytes.length ? MORE : LAST, part));
      from = to;
    }
    return cut;
  }

  /// Where the part ends, between two characters.
  private static int end(byte[] bytes, int from) {
    int to = Math.min(bytes.length, from + ReplicaNotifications.TEXT_BYTES_MAX - HEAD_BYTES);
    while (to < bytes.length && (bytes[to] & 0xC0) == 0x80) {
      to--;
    }
    return to;
  }

  private static String encodeLine(EventView view) {
    var event = view.event();
    var line = ObjectValue.builder();
    line.put("run", Value.of(view.run()));
    line.put("at", Value.of(view.at().toString()));
    line.put("type", Value.of(event.type()));
    event.superstep().ifPresent(it -> line.put("superstep", Value.of((long) it)));
    event.node().ifPresent(it -> line.put("node", Value.of(it.value())));
    event.dispatchId().ifPresent(it -> line.put("dispatch", Value.of(it)));
    line.put("data", event.data());
    return Json.write(line.build());
  }

  /// Reads one part.
  ///
  /// @return the events, once all parts have arrived; unreadable ones are dropped
  List<EventView> read(String part) {
    int head = head(part);
    if (head < 0) {
      return List.of();
    }
    int number = Integer.parseInt(part, 0, head, 10);
    if (number == 0) {
      parts.setLength(0);
      expected = 0;
    }
    if (number != expected || number >= PARTS_MAX) {
      expected = -1;
      return List.of();
    }
    expected++;
    parts.append(part, head + 1, part.length());
    return part.charAt(head) == LAST ? events() : List.of();
  }

  /// Position of the sign; -1: this is no part.
  private static int head(String part) {
    int at = 0;
    while (at < part.length() && Character.isDigit(part.charAt(at)) && at < HEAD_BYTES - 1) {
      at++;
    }
    boolean fits =
        at > 0 && at < part.length() && (part.charAt(at) == MORE || part.charAt(at) == LAST);
    return fits ? at : -1;
  }

  private List<EventView> events() {
    var lines = parts.toString();
    parts.setLength(0);
    return lines.lines().map(LiveEventCodec::event).flatMap(Optional::stream).toList();
  }

  private static Optional<EventView> event(String line) {
    try {
      return Json.read(line) instanceof ObjectValue object
          ? Optional.of(event(object))
          : Optional.empty();
    } catch (JsonException | DateTimeException | IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static EventView event(ObjectValue line) {
    var superstep = line.get("superstep") instanceof Value.Int(long it) ? (int) it : -1;
    var event =
        new Event(
            text(line, "type").orElseThrow(IllegalArgumentException::new),
            superstep < 0 ? Optional.empty() : Optional.of(superstep),
            text(line, "node").map(NodeId::new),
            text(line, "dispatch"),
            line.getOr("data", ObjectValue.empty()) instanceof ObjectValue data
                ? data
                : ObjectValue.empty());
    return new EventView(
        Optional.empty(),
        text(line, "run").orElseThrow(IllegalArgumentException::new),
        Instant.parse(text(line, "at").orElse("")),
        event);
  }

  private static Optional<String> text(ObjectValue line, String key) {
    return line.get(key) instanceof Value.Text(var text) ? Optional.of(text) : Optional.empty();
  }
}
