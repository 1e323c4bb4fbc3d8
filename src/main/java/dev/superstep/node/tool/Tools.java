package dev.superstep.node.tool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The tools of this server by name.
public final class Tools {
  private final List<ToolSource> sources;

  /// @param sources in the order of precedence: the first that has a name has it
  Tools(List<ToolSource> sources) {
    this.sources = List.copyOf(sources);
  }

  /// These, behind those of one graph: its own name stands above the server's.
  Tools behind(List<Tool> own) {
    if (own.isEmpty()) {
      return this;
    }
    var all = new ArrayList<ToolSource>();
    all.add(() -> own);
    all.addAll(sources);
    return new Tools(all);
  }

  public Optional<Tool> find(String name) {
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
    return sources.stream()
        .flatMap(it -> it.tools().stream())
        .filter(it -> find(it.description().name()).equals(Optional.of(it)))
        .sorted(Comparator.comparing(it -> it.description().name()))
        .toList();
  }

  public List<String> names() {
    return all().stream().map(it -> it.description().name()).toList();
  }
}
