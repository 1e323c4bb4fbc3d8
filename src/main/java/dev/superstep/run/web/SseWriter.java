package dev.superstep.run.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.run.EventView;
import java.io.IOException;
import java.io.OutputStream;
import tools.jackson.databind.json.JsonMapper;

/// The wire format of server-sent events.
final class SseWriter {
  private final JsonMapper json;

  SseWriter(JsonMapper json) {
    this.json = json;
  }

  /// JSON has no line breaks, so one `data:` line is enough.
  void write(EventView event, OutputStream out) throws IOException {
    var text = new StringBuilder();
    event.seq().ifPresent(it -> text.append("id: ").append(it).append('\n'));
    text.append("event: ").append(event.event().type()).append('\n');
    text.append("data: ").append(json.writeValueAsString(EventBody.of(event))).append("\n\n");
    out.write(text.toString().getBytes(UTF_8));
  }

  void comment(OutputStream out) throws IOException {
    out.write(":\n\n".getBytes(UTF_8));
  }
}
