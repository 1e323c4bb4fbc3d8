package dev.superstep.run.web.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.run.web.response.EventBody;
import java.io.IOException;
import java.io.OutputStream;
import tools.jackson.databind.json.JsonMapper;

/// Writes server-sent events in their wire format.
final class SseWriter {
  private final JsonMapper json;
  private final OutputStream out;

  SseWriter(JsonMapper json, OutputStream out) {
    this.json = json;
    this.out = out;
  }

  /// JSON has no line breaks, so one `data:` line is enough.
  void write(EventBody event) throws IOException {
    var text = new StringBuilder();
    if (event.seq() != null) {
      text.append("id: ").append(event.seq()).append('\n');
    }
    text.append("event: ").append(event.type()).append('\n');
    text.append("data: ").append(json.writeValueAsString(event)).append("\n\n");
    write(text.toString());
  }

  /// Moves the client's last id to an event that it has filtered out: it reconnects behind that.
  /// Without data no event reaches it.
  void position(long seq) throws IOException {
    write("id: %d\n\n".formatted(seq));
  }

  void comment() throws IOException {
    write(":\n\n");
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(UTF_8));
  }

  void flush() throws IOException {
    out.flush();
  }
}
