package dev.superstep.node.llm;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.expression.Expression;
import dev.superstep.model.Model;
import dev.superstep.model.Models;
import dev.superstep.state.value.ListValue;
import java.util.List;
import java.util.Optional;

/// Which model a node asks, or which models one after the other.
///
/// @param model its name; empty: the server's default, unless there is a list
/// @param models their names; empty: there is one only
record ModelChoice(Optional<Expression> model, Optional<Expression> models, Fallback fallback) {
  private static final String UNKNOWN = "unknown_model";

  boolean isList() {
    return models.isPresent();
  }

  /// As the node gives them; none: it gives none.
  List<String> names(NodeCall call) {
    if (models.isEmpty()) {
      return model.map(it -> PromptBuilder.text(it.evaluate(call))).stream().toList();
    }
    var names =
        models.get().evaluate(call) instanceof ListValue list
            ? list.stream().map(PromptBuilder::text).distinct().toList()
            : List.<String>of();
    if (names.isEmpty()) {
      throw TaskFailedException.permanent(UNKNOWN, "/config/models is no list of names");
    }
    return names;
  }

  /// @throws TaskFailedException if the server does not have one of them
  List<Model> found(NodeCall call, Models all) {
    var names = names(call);
    return names.isEmpty()
        ? List.of(standard(all))
        : names.stream().map(it -> found(all, it)).toList();
  }

  private static Model standard(Models all) {
    return all.standard()
        .orElseThrow(() ->
            TaskFailedException.permanent(
                UNKNOWN,
                "the node names no model, and this server has no default among " + all.names()));
  }

  private static Model found(Models all, String name) {
    return all.find(name)
        .orElseThrow(() ->
            TaskFailedException.permanent(
                UNKNOWN, "this server has no model '%s'; it has %s".formatted(name, all.names())));
  }
}
