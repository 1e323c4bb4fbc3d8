package dev.superstep.definition.store;

import dev.superstep.definition.Codes;
import dev.superstep.definition.GraphName;
import dev.superstep.definition.GraphVersion;
import dev.superstep.definition.Suggestion;
import dev.superstep.definition.read.DefinitionText;
import dev.superstep.definition.read.ReadResult;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.NodeType.CalledGraph;
import dev.superstep.definition.type.NodeTypes;
import dev.superstep.graph.Violation;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Reach;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
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
  /// @param called by its whole name, also where the node names an inline graph by `#name`
  /// @param pointer of its `config`
  record SubgraphCall(String node, CalledGraph called, String pointer) {}

  /// @param text in which problems are placed
  /// @return the reading, with what else is wrong
  ReadResult check(ReadResult readResult, DefinitionText text) {
    var posted = new PostedGraphs(readResult.definition());
    var errors = new ArrayList<Violation>();
    var warnings = new ArrayList<Violation>();
    for (var graph : posted.names()) {
      check(graph, posted, errors, warnings);
    }
    warnings.addAll(unused(posted));
    return errors.isEmpty() && warnings.isEmpty()
        ? readResult
        : readResult.with(
            joined(readResult.errors(), text.placed(written(errors, readResult))),
            joined(readResult.warnings(), text.placed(written(warnings, readResult))));
  }

  private void check(
      GraphName graph, PostedGraphs posted, List<Violation> errors, List<Violation> warnings) {
    var found = new ArrayList<SubgraphCall>();
    for (var call : calls(posted, graph)) {
      var problem = missing(posted, call);
      problem.ifPresent(errors::add);
      if (problem.isEmpty()) {
        found.add(call);
      }
    }
    if (!found.isEmpty()) {
      new Recursion(this, posted, graph).check(found, errors, warnings);
    }
  }

  private List<SubgraphCall> calls(PostedGraphs posted, GraphName graph) {
    var newest = new CalledGraph(graph.text(), Optional.empty());
    return posted.find(newest).map(it -> calls(it, newest)).orElse(List.of());
  }

  /// Inline graphs that no run of the posted graph comes to.
  private List<Violation> unused(PostedGraphs posted) {
    var used = new HashSet<GraphName>();
    var open = new ArrayDeque<>(List.of(posted.whole()));
    while (!open.isEmpty()) {
      for (var call : calls(posted, open.pop())) {
        var name = GraphName.of(call.called().graph());
        if (posted.has(call.called()) && used.add(name)) {
          open.push(name);
        }
      }
    }
    return posted.names().stream()
        .filter(it -> it.isInline() && !used.contains(it))
        .map(it ->
            Violation.of(
                it.pointer(),
                Codes.NO_EFFECT,
                "no node runs this graph; run it by a node of type subgraph with graph: '#%s', or remove it"
                    .formatted(it.inline())))
        .toList();
  }

  /// At the pointers that the author wrote.
  private static List<Violation> written(List<Violation> violations, ReadResult readResult) {
    var origins = readResult.longForm().origins();
    return violations.stream().map(it -> it.movedTo(origins.of(it.pointer()))).toList();
  }

  private static List<Violation> joined(List<Violation> known, List<Violation> more) {
    return Stream.concat(known.stream(), more.stream()).distinct().toList();
  }

  /// The nodes of a graph that run graphs.
  List<SubgraphCall> calls(ObjectValue definition, CalledGraph owner) {
    var calls = new ArrayList<SubgraphCall>();
    var at = GraphName.of(owner.graph()).pointer();
    var nodes = definition.listOrEmpty("nodes");
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i) instanceof ObjectValue object) {
        var pointer = at + "/nodes/" + i + "/config";
        call(object, owner, pointer).ifPresent(calls::add);
      }
    }
    return calls;
  }

  private Optional<SubgraphCall> call(ObjectValue node, CalledGraph owner, String pointer) {
    var config = node.objectOrEmpty("config");
    return type(node)
        .flatMap(it -> it.calls(config))
        .map(it -> new SubgraphCall(node.textOrEmpty("id"), whole(it, owner), pointer));
  }

  /// An inline graph has the version of the definition that it is in.
  private static CalledGraph whole(CalledGraph written, CalledGraph owner) {
    return GraphName.isReference(written.graph())
        ? new CalledGraph(
            GraphName.of(owner.graph()).called(written.graph()).text(), owner.version())
        : written;
  }

  Optional<NodeType> type(ObjectValue node) {
    return node.findText("type").flatMap(types::find);
  }

  /// The stored definition that is run; empty: there is none.
  Optional<ObjectValue> definition(CalledGraph called) {
    var name = GraphName.of(called.graph());
    var version =
        called
            .version()
            .map(it -> store.shown(stored(name), it))
            .orElseGet(() -> store.newest(stored(name)));
    return version.map(GraphVersion::definition).flatMap(name::find);
  }

  private Optional<Violation> missing(PostedGraphs posted, SubgraphCall call) {
    var called = call.called();
    var name = GraphName.of(called.graph());
    if (posted.find(called).or(() -> definition(called)).isPresent()) {
      return Optional.empty();
    }
    var graph = call.pointer() + "/graph";
    if (name.isInline()) {
      return Optional.of(
          Violation.of(
              graph,
              Codes.UNKNOWN_GRAPH,
              "there is no graph '%s' under 'graphs'%s"
                  .formatted(
                      name.inline(), Suggestion.among(posted.references(), reference(name)))));
    }
    return Optional.of(
        store.newest(stored(name)).isEmpty()
            ? Violation.of(
                graph,
                Codes.UNKNOWN_GRAPH,
                "there is no graph '%s'; %s"
                    .formatted(
                        called.graph(),
                        posted.references().contains(GraphName.reference(called.graph()))
                            ? "write '#%s' for the one under 'graphs'".formatted(called.graph())
                            : "post it first"))
            : Violation.of(
                call.pointer() + "/version",
                Codes.UNKNOWN_VERSION,
                "graph '%s' has no version %d"
                    .formatted(called.graph(), called.version().orElse(0))));
  }

  /// Nodes run graphs of their own tenant only.
  private static String stored(GraphName name) {
    return Reach.graph(name.definition());
  }

  private static String reference(GraphName name) {
    return GraphName.reference(name.inline());
  }
}
