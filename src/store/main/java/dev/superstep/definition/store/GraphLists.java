package dev.superstep.definition.store;

import dev.superstep.compute.RequestWork;
import dev.superstep.database.OwnRows;
import dev.superstep.definition.GraphPosition;
import dev.superstep.definition.GraphVersion;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/// Lists graphs and versions, newest first.
@Service
class GraphLists {
  private final GraphRows graphs;
  private final VersionRows versions;

  GraphLists(GraphRows graphs, VersionRows versions) {
    this.graphs = graphs;
    this.versions = versions;
  }

  /// The newest versions of graphs that are not hidden, behind `after`.
  @Transactional(readOnly = true)
  public List<GraphVersion> graphs(Optional<GraphPosition> after, int limit) {
    var reached = OwnRows.graphs();
    return after
        .map(it -> graphs.after(OwnRows.tenant(), reached, it.createdAt(), it.name(), limit))
        .orElseGet(() -> graphs.first(OwnRows.tenant(), reached, limit))
        .stream()
        .flatMap(it -> versions.find(it.name(), it.newest()).stream())
        .map(VersionEntity::toVersion)
        .toList();
  }

  /// The versions of a graph below `below`, hidden ones left out.
  @Transactional(readOnly = true)
  public List<GraphVersion> versions(String name, int below, int limit) {
    var graph =
        graphs
            .findByName(name)
            .filter(it -> !it.isHidden())
            .orElseThrow(() -> GraphStore.notFound(name));
    RequestWork.current().hold(versions.size(name, below, graph.hiddenThrough(), limit));
    return versions.page(name, below, graph.hiddenThrough(), limit).stream()
        .map(VersionEntity::toVersion)
        .toList();
  }
}
