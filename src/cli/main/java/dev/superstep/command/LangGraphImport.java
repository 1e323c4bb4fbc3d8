package dev.superstep.command;

import dev.superstep.command.ImportedNode.ImportedKind;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Makes the skeleton of a definition of what LangGraph draws. It posts as it is and runs to its
/// end, with nodes that do nothing: each place that says TODO waits for what the drawing does not
/// know.
final class LangGraphImport {
  private static final int GRAPHS_MAX = 50;
  private static final String UNDRAWN =
      "LangGraph draws the goto of a Command only where the function's return type names its"
          + " targets, as in Command[Literal['a', 'b']]";

  private final StateChannels channels;
  private final ImportedLevel root;
  private final boolean messages;
  private final Map<List<String>, String> graphs = new LinkedHashMap<>();
  private final Map<List<String>, ImportedLevel> opened = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();
  private final SkeletonText text = new SkeletonText();

  /// @param definition YAML with comments
  /// @param notes sentences for whoever goes on with it
  public record Skeleton(String definition, List<String> notes) {}

  /// @param name as it is called in problems
  public record ImportSource(String name, Value content) {}

  private LangGraphImport(ImportedLevel root, StateChannels channels) {
    this.root = root;
    this.channels = channels;
    messages = channels.isUnknown() ? hasTools(root) : channels.hasMessages();
    nameGraphs(root, new StepIds());
    if (graphs.size() > GRAPHS_MAX) {
      throw new ImportException(
          "/nodes",
          "has %d subgraphs, and a definition at most %d; draw it without xray"
              .formatted(graphs.size(), GRAPHS_MAX));
    }
  }

  /// @param drawing of `get_graph().to_json()`
  /// @param schemas of the state, if there are any
  /// @param name of the definition; empty for that in the schemas, else `fallback`
  /// @throws ImportException if one of them is not what LangGraph writes
  public static Skeleton skeleton(
      ImportSource drawing, List<ImportSource> schemas, Optional<String> name, String fallback) {
    var source = drawing;
    try {
      var channels = new StateChannels();
      for (var schema : schemas) {
        source = schema;
        channels.read(schema.content());
      }
      source = drawing;
      var made = new LangGraphImport(ImportedGraphReader.read(drawing.content()), channels);
      var known = channels.graph().isEmpty() ? fallback : channels.graph();
      return made.write(name.orElseGet(() -> StepIds.graph(known)));
    } catch (ImportException e) {
      throw e.in(source.name());
    }
  }

  private static boolean hasTools(ImportedLevel level) {
    return level.has(ImportedKind.TOOLS) || level.children().stream().anyMatch(it -> hasTools(it));
  }

  /// Inline graphs have one list, however deep they stand.
  private void nameGraphs(ImportedLevel level, StepIds names) {
    if (level.steps().isEmpty()) {
      var which = level.path().isEmpty() ? "" : " of " + String.join(":", level.path());
      throw new ImportException("/nodes", "has no node%s between start and end".formatted(which));
    }
    for (var step : level.steps()) {
      var path = new ArrayList<>(level.path());
      path.add(step);
      var child = level.child(step);
      if (child.isPresent()
          || level.node(step).filter(it -> it.kind() == ImportedKind.GRAPH).isPresent()) {
        graphs.put(path, names.of(StepIds.graph(String.join("_", path))));
        child.ifPresent(it -> opened.put(path, it));
        child.ifPresent(it -> nameGraphs(it, names));
      }
    }
  }

  private Skeleton write(String name) {
    var nodes = new SkeletonNodes(root, messages, this::graphName);
    text.line(
        0,
        "# Imported from LangGraph. It posts as it is, and each TODO is a place to fill in: until");
    text.line(0, "# then its nodes do nothing, and its conditions never hold.");
    text.line(0, "name: " + SkeletonText.quoted(name));
    if (nodes.isAgent()) {
      text.line(0, "template: agent");
    }
    state(nodes.isAgent());
    nodes.write(text, 0, messages);
    inlineGraphs();
    test(nodes);
    note(root, nodes);
    notes.addFirst("%d places to fill in, marked with TODO".formatted(text.todos()));
    return new Skeleton(text.toString(), notes);
  }

  private String graphName(List<String> path) {
    return graphs.getOrDefault(path, "");
  }

  private void state(boolean agent) {
    if (channels.isUnknown()) {
      if (messages && !agent) {
        text.line(0, "channels: { messages: { reducer: messages } }");
      }
      return;
    }
    text.line(0, "strict_channels: true");
    var declared = new LinkedHashMap<>(channels.channels());
    if (agent) {
      declared.remove("messages");
    }
    if (!declared.isEmpty()) {
      text.line(0, "channels:");
      declared.forEach((field, channel) -> channel(field, channel));
    }
    channels.output().ifPresent(it -> text.line(0, "output: { channels: %s }".formatted(list(it))));
  }

  private void channel(String field, StateChannels.Channel channel) {
    var line = "%s: %s".formatted(SkeletonText.quoted(field), channel.text());
    if (channel.question().isEmpty()) {
      text.line(2, line);
    } else {
      text.todo(2, line, channel.question());
    }
  }

  private void inlineGraphs() {
    if (graphs.isEmpty()) {
      return;
    }
    text.line(0, "graphs:");
    graphs.forEach((path, name) -> {
      text.line(2, SkeletonText.quoted(name) + ":");
      var level = opened.get(path);
      if (level == null) {
        closed(path);
      } else {
        var nodes = new SkeletonNodes(level, messages, this::graphName);
        inlineState(nodes.isAgent());
        nodes.write(text, 4, messages);
        note(level, nodes);
      }
    });
  }

  /// A graph that LangGraph drew as one node.
  private void closed(List<String> path) {
    inlineState(false);
    text.line(4, "nodes:");
    text.todo(
        6,
        "- { id: todo, type: expression, config: { update: {} } }",
        "what '%s' does; get_graph(xray=True) draws it".formatted(path.getLast()));
  }

  private void inlineState(boolean agent) {
    if (agent) {
      text.line(4, "template: agent");
    } else if (messages) {
      text.line(4, "channels: { messages: { reducer: messages } }");
    }
  }

  /// Models and subgraphs do not run in tests.
  private void test(SkeletonNodes nodes) {
    text.line(0, "tests:");
    text.line(2, "- name: runs to its end");
    text.line(4, messages ? "input: { messages: [{ role: user, content: Hello }] }" : "input: {}");
    var mocks = new ArrayList<String>();
    nodes.models().forEach(it -> mocks.add(SkeletonText.quoted(nodes.id(it)) + ": Done."));
    graphs.keySet().stream()
        .filter(it -> it.size() == 1)
        .forEach(it ->
            mocks.add(
                SkeletonText.quoted(nodes.id(it.getFirst()))
                    + (messages ? ": { messages: [] }" : ": {}")));
    if (!mocks.isEmpty()) {
      text.line(4, "mocks:");
      mocks.forEach(it -> text.line(6, it));
    }
    text.line(4, "expect: { status: succeeded }");
  }

  private void note(ImportedLevel level, SkeletonNodes nodes) {
    var lost = nodes.flow().lost();
    if (!lost.isEmpty()) {
      var where = level.path().isEmpty() ? "" : " of " + String.join(":", level.path());
      notes.add(
          "nothing in the drawing%s leads to %s; %s"
              .formatted(where, String.join(", ", lost), UNDRAWN));
    }
  }

  private static String list(Collection<String> names) {
    return "[%s]"
        .formatted(names.stream().map(SkeletonText::quoted).collect(Collectors.joining(", ")));
  }
}
