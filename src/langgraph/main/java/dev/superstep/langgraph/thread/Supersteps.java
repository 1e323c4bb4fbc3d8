package dev.superstep.langgraph.thread;

import dev.superstep.graph.Pointer;
import dev.superstep.langgraph.RequestFields;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;

/// Reads the history that a new thread is to begin with.
final class Supersteps {
  private static final String NAME = "supersteps";
  private static final int MAX = 100;

  private Supersteps() {}

  /// Refuses what cannot be read, before anything is made.
  static void check(RequestFields fields) {
    var supersteps = read(fields);
    if (supersteps.size() > MAX) {
      throw fields.refused(NAME, "may be at most %d".formatted(MAX));
    }
    boolean known =
        fields.fields("metadata").flatMap(it -> it.text(ThreadLabels.GRAPH)).isPresent();
    if (!supersteps.isEmpty() && !known) {
      throw ServiceException.at(
          "/metadata/graph_id",
          ErrorCode.MISSING_FIELD,
          "is missing: supersteps are those of a graph");
    }
  }

  static List<ThreadEdits.StateEditRequest> read(RequestFields fields) {
    var edits = new ArrayList<ThreadEdits.StateEditRequest>();
    var supersteps = fields.list(NAME).orElse(ListValue.empty());
    for (int i = 0; i < supersteps.size(); i++) {
      var pointer = Pointer.child(fields.pointer(NAME), i);
      if (!(supersteps.get(i) instanceof ObjectValue superstep)) {
        throw ServiceException.at(pointer, ErrorCode.WRONG_TYPE, "must be an object");
      }
      var members = RequestFields.of(superstep, pointer);
      var updates = members.list("updates").orElse(ListValue.empty());
      if (updates.size() != 1 || !(updates.get(0) instanceof ObjectValue update)) {
        throw members.refused(
            "updates", "must be one update: what one node, or the input, has written");
      }
      var read = RequestFields.of(update, Pointer.child(members.pointer("updates"), 0));
      if (read.has("command")) {
        throw read.refused("command", "is not supported; send values and as_node");
      }
      edits.add(ThreadEdits.StateEditRequest.of(read));
    }
    return edits;
  }
}
