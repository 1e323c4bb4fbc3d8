package dev.superstep.node.tool;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The tools of this server by name.
public final class Tools {
  private final List<ToolSource> sources;
  private final List<Tool> own;

  /// @param sources in the order of precedence: the first that has a name has it
  public Tools(List<ToolSource> sources) {
    this(sources, List.of());
  }

  private Tools(List<ToolSource> sources, List<Tool> own) {
    this.sources = List.copyOf(sources);
    this.own = List.copyOf(own);
  }

  /// These and those of one graph.
  public Tools with(List<Tool> ofGraph) {
    return ofGraph.isEmpty() ? this : new Tools(sources, ofGraph);
  }

  /// The tool of that name. A name that graph and server both have is unusable: a graph must not
  /// pose as a tool of the operator, and the operator's must not replace the graph's.
  public Optional<Tool> find(String name) {
    var ofServer = ofServer(name);
    var ofGraph = own.stream().filter(it -> it.description().name().equals(name)).findFirst();
    return ofServer.isPresent() && ofGraph.isPresent()
        ? Optional.empty()
        : ofServer.or(() -> ofGraph);
  }

  /// Whether there is, or may be, a tool of that name.
  public boolean mayHave(String name) {
    return find(name).isPresent() || !sources.stream().allMatch(ToolSource::isComplete);
  }

  /// Whether graph and server both have a tool of that name.
  public boolean isTaken(String name) {
    return own.stream().anyMatch(it -> it.description().name().equals(name))
        && ofServer(name).isPresent();
  }

  /// The tool of the server.
  public Optional<Tool> ofServer(String name) {
    // All at once: the time that they take does not add up.
    sources.forEach(ToolSource::refresh);
    for (var source : sources) {
      for (var tool : source.tools()) {
        if (tool.description().name().equals(name)) {
          return Optional.of(tool);
        }
      }
    }
    return Optional.empty();
  }

  /// By name, each name once.
  public List<Tool> all() {
    sources.forEach(ToolSource::refresh);
    return Stream.concat(sources.stream().flatMap(it -> it.tools().stream()), own.stream())
        .filter(it -> find(it.description().name()).equals(Optional.of(it)))
        .sorted(Comparator.comparing(it -> it.description().name()))
        .toList();
  }

  public List<String> names() {
    return all().stream().map(it -> it.description().name()).toList();
  }
}
