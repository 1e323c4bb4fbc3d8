package dev.superstep.command;

import dev.superstep.command.ImportedNode.ImportedKind;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Writes the nodes and edges of one graph.
final class SkeletonNodes {
  private final ImportedLevel level;
  private final LevelFlow flow;
  private final boolean agent;
  private final Function<List<String>, String> graphNames;
  private final StepIds ids = new StepIds();

  /// @param messages whether the graph has a channel of messages
  /// @param graphNames of the graph at a path
  SkeletonNodes(ImportedLevel level, boolean messages, Function<List<String>, String> graphNames) {
    this.level = level;
    this.flow = new LevelFlow(level);
    this.agent = messages && level.has(ImportedKind.TOOLS);
    this.graphNames = graphNames;
    level.steps().forEach(ids::of);
  }

  /// Whether a model and its tools are among the nodes.
  boolean isAgent() {
    return agent;
  }

  LevelFlow flow() {
    return flow;
  }

  String id(String step) {
    return ids.of(step);
  }

  /// Steps that are written as calls of a model.
  List<String> models() {
    return level.steps().stream().filter(this::isModel).toList();
  }

  void write(SkeletonText text, int indent, boolean messages) {
    breakpoints(text, indent, "before");
    breakpoints(text, indent, "after");
    text.line(indent, "nodes:");
    ordered().forEach(it -> node(text, indent + 2, it, messages));
    var edges = new SkeletonEdges(flow, ids);
    if (edges.needed(level.steps())) {
      text.line(indent, "edges:");
      edges.write(text, indent + 2, level.steps());
    }
  }

  private void breakpoints(SkeletonText text, int indent, String when) {
    var stops =
        level.steps().stream()
            .filter(it -> level.node(it).filter(node -> node.interrupts(when)).isPresent())
            .map(ids::of)
            .toList();
    if (!stops.isEmpty()) {
      text.line(indent, "interrupt_%s: %s".formatted(when, SkeletonText.names(stops)));
    }
  }

  /// The first one begins.
  private List<String> ordered() {
    var steps = new ArrayList<>(level.steps());
    var first = flow.next(ImportedNode.START);
    if (first.size() == 1) {
      steps.remove(first.getFirst());
      steps.addFirst(first.getFirst());
    }
    return steps;
  }

  private void node(SkeletonText text, int indent, String step, boolean messages) {
    text.line(indent, "- id: " + SkeletonText.quoted(ids.of(step)));
    if (!ids.of(step).equals(step)) {
      text.line(indent + 2, "name: " + SkeletonText.quoted(SkeletonText.comment(step)));
    }
    type(text, indent + 2, step, messages);
    level
        .node(step)
        .map(ImportedNode::properties)
        .filter(it -> !it.isEmpty())
        .ifPresent(it -> text.line(indent + 2, "properties: " + Json.write(it)));
    routing(text, indent + 2, step);
  }

  private void type(SkeletonText text, int indent, String step, boolean messages) {
    if (level.node(step).isEmpty() || kind(step) == ImportedKind.GRAPH) {
      subgraph(text, indent, step, messages);
    } else if (agent && kind(step) == ImportedKind.TOOLS) {
      text.todo(indent, "type: tool", "declare its tools, or set them up on the server");
    } else if (isModel(step)) {
      text.line(indent, "type: llm");
      text.todo(indent, "config: {}", "system, model, and tools: [names]");
    } else {
      text.line(indent, "type: expression");
      text.todo(
          indent,
          "config: { update: {} }",
          "what '%s' does; often llm, http, tool or human".formatted(step));
    }
  }

  private void subgraph(SkeletonText text, int indent, String step, boolean messages) {
    var path = new ArrayList<>(level.path());
    path.add(step);
    text.line(indent, "type: subgraph");
    text.line(indent, "config:");
    text.line(indent + 2, "graph: \"#%s\"".formatted(graphNames.apply(path)));
    text.todo(
        indent + 2,
        messages ? "input: { messages: \"{{ state.messages }}\" }" : "input: {}",
        "what it takes; LangGraph shares the fields of the same name");
    text.todo(
        indent + 2,
        messages ? "result: { update: { messages: \"{{ response.messages }}\" } }" : "result: {}",
        "what it gives back, as in update: { field: \"{{ response.field }}\" }");
  }

  private void routing(SkeletonText text, int indent, String step) {
    var next = flow.next(step);
    var choices = flow.choices(step);
    if (SkeletonEdges.holds(flow, step)) {
      return;
    }
    if (!next.isEmpty()) {
      text.line(indent, "next: " + names(next));
    } else if (choices.size() > 1) {
      text.line(indent, "switch:");
      cases(text, indent + 2, step, choices);
    }
  }

  private void cases(SkeletonText text, int indent, String step, List<ImportedEdge> choices) {
    var otherwise = flow.otherwise(step);
    for (var choice : choices) {
      if (isModel(step) && isTools(choice.to())) {
        text.line(
            indent,
            "- { when: \"state.finish_reason == 'tool_calls'\", to: %s }".formatted(id(choice)));
      } else if (!choice.to().equals(otherwise)) {
        text.todo(indent, "- { when: \"false\", to: %s }".formatted(id(choice)), condition(choice));
      }
    }
    text.line(indent, "- { else: %s }".formatted(SkeletonText.quoted(ids.of(otherwise))));
  }

  private String condition(ImportedEdge choice) {
    return flow.lost().contains(choice.to())
        ? "nothing in the drawing leads to '%s'; move this to where it comes from"
            .formatted(choice.to())
        : SkeletonEdges.condition(choice);
  }

  private String id(ImportedEdge edge) {
    return SkeletonText.quoted(ids.of(edge.to()));
  }

  private String names(List<String> steps) {
    return SkeletonText.names(steps.stream().map(ids::of).collect(Collectors.toList()));
  }

  /// What decides whether tools run is a model that may ask for them.
  private boolean isModel(String step) {
    return agent
        && level.node(step).isPresent()
        && kind(step) == ImportedKind.CODE
        && flow.choices(step).stream().anyMatch(it -> isTools(it.to()));
  }

  private boolean isTools(String step) {
    return level.node(step).filter(it -> it.kind() == ImportedKind.TOOLS).isPresent();
  }

  private ImportedKind kind(String step) {
    return level.node(step).map(ImportedNode::kind).orElse(ImportedKind.GRAPH);
  }
}
