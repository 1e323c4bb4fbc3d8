package dev.superstep.node.http;

import dev.superstep.engine.run.CustomEvent;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.node.ResultEvents;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the answer of a node function that streams, line by line: events, then the node result.
/// Everything that can be wrong with it becomes the one problem that is seen first.
final class EventLines {
  private final EventForm form;
  private final Consumer<CustomEvent> events;
  private final StringBuilder data = new StringBuilder();
  private String type = "";
  private @Nullable Value result;
  private @Nullable String problem;

  /// How lines are written.
  enum EventForm {
    /// `{"event": {name, data}}` or `{"result": {…}}` on each line.
    NDJSON,
    /// Server-sent events of type `custom` and `result`.
    SSE;

    static Optional<EventForm> of(String mediaType) {
      return switch (mediaType) {
        case "application/x-ndjson", "application/jsonl" -> Optional.of(NDJSON);
        case "text/event-stream" -> Optional.of(SSE);
        default -> Optional.empty();
      };
    }
  }

  /// The result of reading the lines.
  sealed interface ReplyEnd {
    record ResultEnd(Value value) implements ReplyEnd {}

    record Wrong(String problem) implements ReplyEnd {}
  }

  /// @param events takes each event as it is read
  EventLines(EventForm form, Consumer<CustomEvent> events) {
    this.form = form;
    this.events = events;
  }

  /// @param body of the whole answer
  static ReplyEnd read(EventForm form, byte[] body, Consumer<CustomEvent> events) {
    var lines = new EventLines(form, events);
    new String(body, StandardCharsets.UTF_8).lines().forEach(lines::onLine);
    return lines.end();
  }

  /// @param line without its end
  void onLine(String line) {
    if (problem == null) {
      switch (form) {
        case NDJSON -> json(line);
        case SSE -> field(line);
      }
    }
  }

  private ReplyEnd end() {
    if (form == EventForm.SSE && !data.isEmpty()) {
      dispatch();
    }
    if (problem != null) {
      return new ReplyEnd.Wrong(problem);
    }
    return result == null
        ? new ReplyEnd.Wrong("the answer ended without a result")
        : new ReplyEnd.ResultEnd(result);
  }

  private void json(String line) {
    if (line.isBlank()) {
      return;
    }
    if (!(parse(line) instanceof ObjectValue object) || object.size() != 1) {
      wrong("a line must be {\"event\": {name, data}} or {\"result\": {…}}");
    } else if (object.has("event")) {
      event(object.getOr("event", Value.NULL));
    } else if (object.has("result")) {
      result(object.getOr("result", Value.NULL));
    } else {
      wrong("a line must be {\"event\": {name, data}} or {\"result\": {…}}");
    }
  }

  /// A line of the WHATWG's format; comments and ids are ignored.
  private void field(String line) {
    if (line.isEmpty()) {
      dispatch();
    } else if (line.startsWith("event:")) {
      type = line.substring("event:".length()).strip();
    } else if (line.startsWith("data:")) {
      data.append(data.isEmpty() ? "" : "\n").append(line.substring("data:".length()));
    }
  }

  private void dispatch() {
    if (!data.isEmpty()) {
      var value = parse(data.toString());
      switch (type) {
        case "custom" -> event(value);
        case "result" -> result(value);
        default -> wrong("an event must be of type custom or result; got '%s'".formatted(type));
      }
    }
    data.setLength(0);
    type = "";
  }

  private @Nullable Value parse(String text) {
    try {
      return Json.read(text);
    } catch (JsonException e) {
      wrong("a line is no JSON: " + e.problems().getFirst());
      return null;
    }
  }

  private void event(@Nullable Value value) {
    var event = value == null ? Optional.<CustomEvent>empty() : ResultEvents.one(value);
    if (event.isEmpty()) {
      wrong(
          "an event must be {name, data}, with a name and at most %d bytes of data"
              .formatted(ResultEvents.DATA_BYTES_MAX));
    } else if (result != null) {
      wrong("the result must come last");
    } else {
      events.accept(event.get());
    }
  }

  private void result(@Nullable Value value) {
    if (result != null) {
      wrong("there is more than one result");
    }
    result = value;
  }

  private void wrong(String message) {
    problem = problem == null ? message : problem;
  }
}
