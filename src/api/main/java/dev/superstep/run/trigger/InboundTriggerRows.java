package dev.superstep.run.trigger;

import dev.superstep.database.Pools;
import dev.superstep.definition.HookScheme;
import dev.superstep.definition.form.TriggerTables.DeclaredStart;
import dev.superstep.definition.form.TriggerTables.StartMapping;
import dev.superstep.definition.form.TriggerTables.StartOrigin;
import dev.superstep.json.Json;
import dev.superstep.run.store.StoredJson;
import dev.superstep.tenant.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/// The table of webhooks and events that start runs.
@Repository
class InboundTriggerRows {
  /// Of the newest versions.
  private static final String SELECT =
      """
      select graph, trigger, scheme, secret, event, condition, input, caller, credential, reach_all,
             reach_own
        from inbound_hook
       where exists (select from graph
                      where name = inbound_hook.graph and newest = inbound_hook.version
                        and newest > hidden_through)
         and
      """;

  private final JdbcClient jdbc;

  InboundTriggerRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param version that declares it
  void put(InboundTrigger declared, int version) {
    var origin = declared.declared().origin();
    var webhook = origin instanceof StartOrigin.FromSender it ? it : null;
    int _ =
        CallerColumns.with(
                jdbc.sql(
                    """
                    insert into inbound_hook as there
                           (graph, trigger, version, scheme, secret, event, condition, input, caller,
                            credential, reach_all, reach_own, changed_at)
                    values (:graph, :trigger, :version, :scheme, :secret, :event, :condition, :input,
                            :caller, :credential, :reachAll, :reachOwn, now())
                        on conflict (graph, trigger) do update
                       set version = excluded.version, scheme = excluded.scheme, secret = excluded.secret,
                           event = excluded.event, condition = excluded.condition,
                           input = excluded.input, caller = excluded.caller,
                           credential = excluded.credential, reach_all = excluded.reach_all,
                           reach_own = excluded.reach_own, changed_at = excluded.changed_at
                    """),
                declared.caller())
            .param("graph", declared.graph())
            .param("trigger", declared.trigger())
            .param("version", version)
            .param("scheme", webhook == null ? null : webhook.scheme().text(), Types.VARCHAR)
            .param("secret", webhook == null ? null : webhook.secret(), Types.VARCHAR)
            .param("event", event(origin), Types.VARCHAR)
            .param("condition", declared.mapping().condition().orElse(null), Types.VARCHAR)
            .param("input", Json.write(declared.mapping().input()))
            .update();
  }

  private static @Nullable String event(StartOrigin origin) {
    return origin instanceof StartOrigin.FromEvent(var name) ? name : null;
  }

  /// Deletes those of a graph that have none of these names.
  void deleteOthers(String graph, Collection<String> triggers) {
    int _ =
        jdbc.sql("delete from inbound_hook where graph = :graph and trigger <> all(:triggers)")
            .param("graph", graph)
            .param("triggers", triggers.toArray(String[]::new))
            .update();
  }

  /// Whether a delivery or an event has started its run, which is still there.
  boolean hasRun(String run) {
    return jdbc.sql("select exists (select from run where id = :run)")
        .param("run", run)
        .query(Boolean.class)
        .single();
  }

  /// A webhook.
  Optional<InboundTrigger> find(String graph, String trigger) {
    return jdbc.sql(SELECT + "graph = :graph and trigger = :trigger and scheme is not null")
        .param("graph", graph)
        .param("trigger", trigger)
        .query((row, _) -> trigger(row))
        .optional();
  }

  /// Those that an event of a type starts.
  List<InboundTrigger> ofEvent(Tenant tenant, String type) {
    return jdbc.sql(
            SELECT
                + """
                tenant_of(graph) = :tenant and event = :type and scheme is null
                 order by graph, trigger
                """)
        .param("tenant", tenant.name())
        .param("type", type)
        .query((row, _) -> trigger(row))
        .list();
  }

  /// How many an event of a type starts. Others that count it wait until this transaction ends.
  int countOfEvent(Tenant tenant, String type) {
    var _ =
        jdbc.sql(
                "select 1 from pg_advisory_xact_lock(hashtextextended(:key, 0) # "
                    + Pools.SCHEMA_KEY
                    + ")")
            .param("key", "events " + tenant.name())
            .query(Integer.class)
            .single();
    return jdbc.sql(
            """
            select count(*) from inbound_hook
             where tenant_of(graph) = :tenant and event = :type and scheme is null
            """)
        .param("tenant", tenant.name())
        .param("type", type)
        .query(Integer.class)
        .single();
  }

  /// Some of a tenant, by graph and name.
  ///
  /// @param behind the graph and the name behind which they begin
  List<InboundTrigger> page(Tenant tenant, Optional<String> ofGraph, TriggerKey behind, int limit) {
    return jdbc.sql(
            SELECT
                + """
                tenant_of(graph) = :tenant and (graph, trigger) > (:behindGraph, :behindTrigger)
                   and (:graph::text is null or graph = :graph)
                 order by graph, trigger limit :limit
                """)
        .param("tenant", tenant.name())
        .param("graph", ofGraph.orElse(null), Types.VARCHAR)
        .param("behindGraph", behind.graph())
        .param("behindTrigger", behind.trigger())
        .param("limit", limit)
        .query((row, _) -> trigger(row))
        .list();
  }

  /// A place in a list.
  record TriggerKey(String graph, String trigger) {}

  private static InboundTrigger trigger(ResultSet row) throws SQLException {
    var graph = row.getString("graph");
    var scheme = row.getString("scheme");
    return new InboundTrigger(
        graph,
        row.getString("trigger"),
        new DeclaredStart(
            scheme == null
                ? new StartOrigin.FromEvent(row.getString("event"))
                : new StartOrigin.FromSender(
                    HookScheme.find(scheme).orElseThrow(), row.getString("secret")),
            new StartMapping(
                Optional.ofNullable(row.getString("condition")),
                StoredJson.object(row.getString("input")))),
        CallerColumns.caller(row, Tenant.of(graph)));
  }
}
