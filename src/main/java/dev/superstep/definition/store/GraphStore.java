package dev.superstep.definition.store;

import dev.superstep.definition.ActiveRuns;
import dev.superstep.definition.GraphVersion;
import dev.superstep.definition.PostResult;
import dev.superstep.json.Jcs;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.violation.Violation;
import jakarta.persistence.EntityManager;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/// Stores graph versions. The row of the name is locked while one is added, so that numbers have no
/// gaps and two posts of the same content make one version.
@Service
public class GraphStore {
  private final GraphRows graphs;
  private final VersionRows versions;
  private final EntityManager entities;

  GraphStore(GraphRows graphs, VersionRows versions, EntityManager entities) {
    this.graphs = graphs;
    this.versions = versions;
    this.entities = entities;
  }

  @Transactional
  public PostResult post(String name, ObjectValue definition, List<Violation> warnings) {
    graphs.reserve(name);
    var graph = graphs.lock(name).orElseThrow();
    var newest = graph.isHidden() ? Optional.<GraphVersion>empty() : load(name, graph.newest());
    if (newest.isPresent() && newest.get().definition().equals(definition)) {
      return new PostResult(newest.get(), PostResult.Outcome.UNCHANGED);
    }
    var now = graphs.now();
    var version =
        new GraphVersion(name, graph.next(now), hash(definition), now, warnings, definition);
    entities.persist(new VersionEntity(version));
    return new PostResult(version, PostResult.Outcome.CREATED);
  }

  @Transactional(readOnly = true)
  public Optional<GraphVersion> newest(String name) {
    return graphs
        .findByName(name)
        .filter(it -> !it.isHidden())
        .flatMap(it -> load(name, it.newest()));
  }

  /// A version that is not hidden.
  @Transactional(readOnly = true)
  public Optional<GraphVersion> shown(String name, int version) {
    return graphs
        .findByName(name)
        .filter(it -> it.shows(version))
        .flatMap(_ -> load(name, version));
  }

  /// A version, hidden or not.
  @Transactional(readOnly = true)
  public Optional<GraphVersion> any(String name, int version) {
    return load(name, version);
  }

  /// Hides all versions so far.
  ///
  /// @throws ServiceException `graph_not_found`, `graph_in_use`
  @Transactional
  public void hide(String name, ActiveRuns runs) {
    var graph = graphs.lock(name).filter(it -> !it.isHidden()).orElseThrow(() -> notFound(name));
    long active = runs.countActive(name);
    if (active > 0) {
      throw new ServiceException(
          ErrorCode.GRAPH_IN_USE,
          "%d runs of graph '%s' are active; cancel them or wait for their end"
              .formatted(active, name));
    }
    graph.hide();
  }

  public static ServiceException notFound(String name) {
    return new ServiceException(
        ErrorCode.GRAPH_NOT_FOUND, "there is no graph '%s'".formatted(name));
  }

  public static ServiceException notFound(String name, int version) {
    return new ServiceException(
        ErrorCode.VERSION_NOT_FOUND, "graph '%s' has no version %d".formatted(name, version));
  }

  private Optional<GraphVersion> load(String name, int version) {
    return versions.find(name, version).map(VersionEntity::toVersion);
  }

  private static String hash(ObjectValue definition) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(Jcs.bytes(definition));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
