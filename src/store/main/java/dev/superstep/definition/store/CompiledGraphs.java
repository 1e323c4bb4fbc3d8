package dev.superstep.definition.store;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.superstep.compute.ComputePool;
import dev.superstep.database.HistoryChanged;
import dev.superstep.database.OwnRows;
import dev.superstep.definition.Compiled;
import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.GraphName;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.definition.GraphVersion;
import dev.superstep.definition.read.DefinitionReader;
import dev.superstep.state.value.Canonical;
import dev.superstep.tenant.Tenant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/// Caches compiled graph versions. They never change within one history of the database; in another
/// one a number may be another version's.
@Service
final class CompiledGraphs implements GraphRegistry {
  private final GraphStore store;
  private final DefinitionReader reader;
  private final LoadingCache<CompiledKey, Compiled> cache;
  private final JdbcClient jdbc;
  private final ComputePool compute;

  CompiledGraphs(
      GraphStore store,
      DefinitionReader reader,
      DefinitionLimits limits,
      JdbcClient jdbc,
      ComputePool compute) {
    this.store = store;
    this.reader = reader;
    this.jdbc = jdbc;
    this.compute = compute;
    this.cache = cache(limits);
  }

  /// What a compiled graph takes grows with its definition; small ones count as the share that each
  /// of the most has.
  private LoadingCache<CompiledKey, Compiled> cache(DefinitionLimits limits) {
    long max = limits.compiledSizeMax().toBytes();
    int least = Math.max(1, (int) (max / limits.compiledMax()));
    return Caffeine.newBuilder()
        .maximumWeight(max)
        .weigher((CompiledKey _, Compiled graph) ->
            (int) Math.clamp(Canonical.size(graph.definition()), least, Math.max(least, max)))
        .build(this::compile);
  }

  private record CompiledKey(String name, int version) {}

  @EventListener
  void forget(HistoryChanged changed) {
    cache.invalidateAll();
  }

  @Override
  public Map<String, Shown> shown(Collection<String> names) {
    var shown = new HashMap<String, Shown>();
    jdbc.sql(
            """
            select name, hidden_through, newest
              from unnest(?::text[]) as wanted (graph)
              join graph on graph.name = wanted.graph and graph.newest > graph.hidden_through
            """)
        .param(names.toArray(String[]::new))
        .query(row -> {
          shown.put(row.getString(1), new Shown(row.getInt(2), row.getInt(3)));
        });
    return shown;
  }

  @Override
  public List<Listed> listed(int max) {
    return jdbc.sql(
            """
            select graph.name, graph.newest, first.created_at, graph.updated_at
              from graph
              join lateral (
                select created_at from graph_version
                 where graph_version.graph = graph.name
                 order by version limit 1) as first on true
             where graph.newest > graph.hidden_through
               and (:tenant = '' or tenant_of(graph.name) = :tenant)
               and (:reached = '' or graph.name ~ :reached)
             order by graph.name limit :max
            """)
        .param("tenant", OwnRows.tenant())
        .param("reached", OwnRows.graphs())
        .param("max", max)
        .query((row, _) ->
            new Listed(
                row.getString(1),
                row.getInt(2),
                row.getTimestamp(3).toInstant(),
                row.getTimestamp(4).toInstant()))
        .list();
  }

  @Override
  public Optional<GraphVersion> version(String name, int version) {
    var graph = GraphName.of(name);
    return store
        .shown(graph.definition(), version)
        .filter(it -> graph.find(it.definition()).isPresent());
  }

  @Override
  public Compiled compiled(String name, int version) {
    if (!Tenant.admits(name)) {
      throw GraphStore.notFound(name, version);
    }
    return cache.get(new CompiledKey(name, version));
  }

  private Compiled compile(CompiledKey key) {
    var name = GraphName.of(key.name());
    var stored =
        store
            .any(name.definition(), key.version())
            .orElseThrow(() -> GraphStore.notFound(key.name(), key.version()));
    var readResult =
        compute
            .run(() -> reader.readStored(stored.definition(), name))
            .orElseThrow(() -> GraphStore.notFound(key.name(), key.version()));
    var graphPlan =
        readResult.graphPlan().orElseThrow(() -> Definitions.invalid(readResult.errors()));
    return new Compiled(
        key.name(),
        key.version(),
        graphPlan.program(),
        graphPlan.inputCheck(),
        graphPlan.outputChannels(),
        graphPlan.context(),
        graphPlan.params(),
        name.find(stored.definition()).orElseThrow());
  }
}
