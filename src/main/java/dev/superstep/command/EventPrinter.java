package dev.superstep.command;

import dev.superstep.state.value.Value;
import java.io.PrintWriter;

/// Writes events of a run for people, one on a line; pieces of a model's text follow each other.
final class EventPrinter {
  private static final String DELTA = "message.delta";
  private static final int DATA_MAX = 300;

  private final PrintWriter out;

  /// The task whose text is being written.
  private String writing = "";

  EventPrinter(PrintWriter out) {
    this.out = out;
  }

  void print(Value event) {
    var type = ApiClient.text(event, "/type");
    if (type.equals(DELTA)) {
      piece(event);
      return;
    }
    endLine();
    var line = new StringBuilder(type);
    append(line, "superstep", ApiClient.text(event, "/superstep"));
    append(line, "node", ApiClient.text(event, "/node"));
    append(line, "dispatch", ApiClient.text(event, "/dispatch_id"));
    append(line, "", shortened(ApiClient.text(event, "/data")));
    out.println(line);
  }

  private void piece(Value event) {
    var task = ApiClient.text(event, "/node") + " " + ApiClient.text(event, "/dispatch_id");
    if (!writing.equals(task) || ApiClient.text(event, "/data/offset").equals("0")) {
      endLine();
      out.print(task.strip() + ": ");
    }
    out.print(ApiClient.text(event, "/data/text"));
    out.flush();
    writing = task;
  }

  /// Ends a text that is being written.
  void endLine() {
    if (!writing.isEmpty()) {
      out.println();
      writing = "";
    }
  }

  private static void append(StringBuilder line, String name, String value) {
    if (!value.isEmpty() && !value.equals("{}")) {
      line.append(' ').append(name).append(name.isEmpty() ? "" : " ").append(value);
    }
  }

  private static String shortened(String data) {
    return data.length() > DATA_MAX ? data.substring(0, DATA_MAX) + "…" : data;
  }
}
