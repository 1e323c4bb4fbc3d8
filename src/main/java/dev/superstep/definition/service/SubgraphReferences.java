package dev.superstep.definition.service;

import dev.superstep.definition.Codes;
import dev.superstep.definition.GraphVersion;
import dev.superstep.definition.form.Fields;
import dev.superstep.definition.read.ReadResult;
import dev.superstep.definition.store.GraphStore;
import dev.superstep.definition.sugar.Origins;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.NodeType.Called;
import dev.superstep.definition.type.NodeTypes;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.violation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/// Checks, when a definition is posted, that the graphs which its nodes run (E41) exist and do not
/// recurse without end. Stored definitions are not checked again: a graph that has been hidden
/// since fails the run that calls it.
@Component
final class SubgraphReferences {
  private final NodeTypes types;
  private final GraphStore store;

  SubgraphReferences(NodeTypes types, GraphStore store) {
    this.types = types;
    this.store = store;
  }

  /// A node that runs a graph.
  ///
  /// @param pointer of its `config`
  record Call(String node, Called called, String pointer) {}

  /// @return the reading, with what else is wrong
  ReadResult check(ReadResult readResult) {
    var calls = calls(readResult.definition());
    if (calls.isEmpty()) {
      return readResult;
    }
    var errors = new ArrayList<Violation>();
    var warnings = new ArrayList<Violation>();
    var name = new Fields(readResult.definition()).text("name").orElse("");
    var found = new ArrayList<Call>();
    for (var call : calls) {
      var problem = missing(name, call);
      problem.ifPresent(errors::add);
      if (problem.isEmpty()) {
        found.add(call);
      }
    }
    new Recursion(this, name, readResult.definition()).check(found, errors, warnings);
    return readResult.with(
        joined(readResult.errors(), errors, readResult.longForm().origins()),
        joined(readResult.warnings(), warnings, readResult.longForm().origins()));
  }

  private static List<Violation> joined(
      List<Violation> known, List<Violation> more, Origins origins) {
    return Stream.concat(
            known.stream(), more.stream().map(it -> it.movedTo(origins.of(it.pointer()))))
        .distinct()
        .toList();
  }

  /// The nodes that run graphs.
  List<Call> calls(ObjectValue definition) {
    var calls = new ArrayList<Call>();
    var nodes = new Fields(definition).list("nodes");
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i) instanceof ObjectValue object) {
        var pointer = "/nodes/" + i + "/config";
        call(new Fields(object), pointer).ifPresent(calls::add);
      }
    }
    return calls;
  }

  private Optional<Call> call(Fields node, String pointer) {
    var config = node.objectOr("config", ObjectValue.empty());
    return type(node)
        .flatMap(it -> it.calls(config))
        .map(it -> new Call(node.text("id").orElse(""), it, pointer));
  }

  Optional<NodeType> type(Fields node) {
    return node.text("type").flatMap(types::find);
  }

  /// The definition that is run; empty: there is none.
  Optional<ObjectValue> definition(Called called) {
    var version =
        called
            .version()
            .map(it -> store.shown(called.graph(), it))
            .orElseGet(() -> store.newest(called.graph()));
    return version.map(GraphVersion::definition);
  }

  private Optional<Violation> missing(String own, Call call) {
    var called = call.called();
    boolean itself = called.graph().equals(own) && called.version().isEmpty();
    if (itself || definition(called).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        store.newest(called.graph()).isEmpty()
            ? Violation.of(
                call.pointer() + "/graph",
                Codes.UNKNOWN_GRAPH,
                "there is no graph '%s'; post it first".formatted(called.graph()))
            : Violation.of(
                call.pointer() + "/version",
                Codes.UNKNOWN_VERSION,
                "graph '%s' has no version %d"
                    .formatted(called.graph(), called.version().orElse(0))));
  }
}
