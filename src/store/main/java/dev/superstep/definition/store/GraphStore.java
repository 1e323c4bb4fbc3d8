package dev.superstep.definition.store;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.definition.ActiveRuns;
import dev.superstep.definition.AuthorText;
import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.GraphName;
import dev.superstep.definition.GraphVersion;
import dev.superstep.definition.PostResult;
import dev.superstep.definition.StorageQuota;
import dev.superstep.graph.Violation;
import dev.superstep.json.Jcs;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import jakarta.persistence.EntityManager;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/// Stores graph versions. The row of the name is locked while one is added, so that numbers have no
/// gaps and two posts of the same content make one version.
@Service
class GraphStore {
  private static final String PIN =
      """
      insert into tool_pin (graph, version, tool, fingerprint)
      select :graph, :version, tool, fingerprint
        from unnest(:tools::text[], :fingerprints::text[]) as pinned (tool, fingerprint)
          on conflict (graph, version, tool) do update set fingerprint = excluded.fingerprint
      """;

  private final GraphRows graphs;
  private final VersionRows versions;
  private final EntityManager entities;
  private final StorageQuota quota;
  private final DefinitionLimits limits;
  private final JdbcClient jdbc;
  private final AuditLog audit;
  private final ObjectProvider<GraphListener> listeners;

  GraphStore(
      GraphRows graphs,
      VersionRows versions,
      EntityManager entities,
      StorageQuota quota,
      DefinitionLimits limits,
      JdbcClient jdbc,
      AuditLog audit,
      ObjectProvider<GraphListener> listeners) {
    this.audit = audit;
    this.listeners = listeners;
    this.graphs = graphs;
    this.versions = versions;
    this.entities = entities;
    this.quota = quota;
    this.limits = limits;
    this.jdbc = jdbc;
  }

  /// A new version counts for what its caller stores.
  ///
  /// @param source what the author sent; it is kept with the version, new or not
  /// @param tools what they say now, by name: they are pinned to the version
  /// @throws ServiceException `limit_exceeded`, `storage_quota_exceeded`
  @Transactional
  public PostResult post(
      String name,
      ObjectValue definition,
      List<Violation> warnings,
      AuthorText source,
      Map<String, String> tools) {
    graphs.reserve(name);
    var graph = graphs.lock(name).orElseThrow();
    var newest = graph.isHidden() ? Optional.<GraphVersion>empty() : load(name, graph.newest());
    var now = graphs.now();
    if (newest.isPresent() && newest.get().definition().equals(definition)) {
      keep(name, graph.newest(), source, now);
      pin(name, graph.newest(), tools);
      audit.record(AuditAction.GRAPH_POST, name + "@" + graph.newest());
      listeners.forEach(it -> it.posted(name, graph.newest(), definition));
      return new PostResult(newest.get(), PostResult.PostOutcome.UNCHANGED);
    }
    checkRoom(graph);
    var caller = quota.admitStored(() -> Canonical.size(definition) + source.text().length());
    var version =
        new GraphVersion(
            name,
            graph.next(now),
            hash(definition),
            now,
            Callers.named(caller),
            warnings,
            definition);
    entities.persist(new VersionEntity(version));
    entities.flush();
    pin(name, version.version(), tools);
    keep(name, version.version(), source, now);
    audit.record(AuditAction.GRAPH_POST, name + "@" + version.version());
    listeners.forEach(it -> it.posted(name, version.version(), definition));
    return new PostResult(version, PostResult.PostOutcome.CREATED);
  }

  /// Versions are not removed: runs may have any of them.
  private void checkRoom(GraphEntity graph) {
    int max = limits.versionsMax();
    if (graph.newest() >= max) {
      throw ServiceException.at(
          "/name",
          ErrorCode.LIMIT_EXCEEDED,
          "graph '%s' has %d versions, deleted ones included, which is all that it may have"
                  .formatted(Tenant.shown(graph.name()), graph.newest())
              + " (superstep.definitions.versions-max); post it under another name");
    }
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

  /// A version, hidden or not. It never waits for a turn of large reads: it is loaded under a lock.
  @Transactional
  public Optional<GraphVersion> any(String name, int version) {
    return load(name, version);
  }

  /// What the author sent for a version, hidden or not; empty: an earlier release has stored it.
  @Transactional(readOnly = true)
  public Optional<AuthorText> source(String name, int version) {
    return Optional.ofNullable(
            entities.find(SourceEntity.class, new VersionEntity.GraphVersionKey(name, version)))
        .map(SourceEntity::source);
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
    listeners.forEach(it -> it.hidden(name));
    audit.record(AuditAction.GRAPH_DELETE, name);
  }

  public static ServiceException notFound(String name) {
    return new ServiceException(ErrorCode.GRAPH_NOT_FOUND, GraphName.of(name).unknown());
  }

  public static ServiceException notFound(String name, int version) {
    return new ServiceException(
        ErrorCode.VERSION_NOT_FOUND, "graph '%s' has no version %d".formatted(name, version));
  }

  private void keep(String name, int version, AuthorText source, Instant now) {
    var key = new VersionEntity.GraphVersionKey(name, version);
    Optional.ofNullable(entities.find(SourceEntity.class, key))
        .ifPresentOrElse(
            it -> it.replace(source, now),
            () -> entities.persist(new SourceEntity(key, source, now)));
  }

  /// Pins them to a version, instead of what was pinned to it: who posts a graph again accepts what
  /// its tools have become.
  private void pin(String graph, int version, Map<String, String> pins) {
    if (!pins.isEmpty()) {
      int _ =
          jdbc.sql(PIN)
              .param("graph", graph)
              .param("version", version)
              .param("tools", pins.keySet().toArray(String[]::new))
              .param("fingerprints", pins.values().toArray(String[]::new))
              .update();
    }
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
