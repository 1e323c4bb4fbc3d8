package dev.superstep.run.trigger;

import dev.superstep.definition.HookScheme;
import dev.superstep.definition.form.TriggerTables.DeclaredHook;
import dev.superstep.json.Json;
import dev.superstep.run.store.StoredJson;
import dev.superstep.tenant.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/// The table of webhooks that start runs.
@Repository
class HookRows {
  private final JdbcClient jdbc;

  HookRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param version that declares it
  void put(InboundHook hook, int version) {
    var declared = hook.declared();
    int _ =
        CallerColumns.with(
                jdbc.sql(
                    """
                    insert into inbound_hook as there
                           (graph, trigger, version, scheme, secret, condition, input, caller, credential,
                            reach_all, reach_own, changed_at)
                    values (:graph, :trigger, :version, :scheme, :secret, :condition, :input, :caller,
                            :credential, :reachAll, :reachOwn, now())
                        on conflict (graph, trigger) do update
                       set version = excluded.version, scheme = excluded.scheme, secret = excluded.secret,
                           condition = excluded.condition, input = excluded.input,
                           caller = excluded.caller, credential = excluded.credential,
                           reach_all = excluded.reach_all, reach_own = excluded.reach_own,
                           changed_at = excluded.changed_at
                    """),
                hook.caller())
            .param("graph", hook.graph())
            .param("trigger", hook.trigger())
            .param("version", version)
            .param("scheme", declared.scheme().text())
            .param("secret", declared.secret())
            .param("condition", declared.condition().orElse(null), Types.VARCHAR)
            .param("input", Json.write(declared.input()))
            .update();
  }

  /// Deletes those of a graph that have none of these names.
  void deleteOthers(String graph, Collection<String> triggers) {
    int _ =
        jdbc.sql("delete from inbound_hook where graph = :graph and trigger <> all(:triggers)")
            .param("graph", graph)
            .param("triggers", triggers.toArray(String[]::new))
            .update();
  }

  /// Whether a delivery has started its run, which is still there.
  boolean hasRun(String run) {
    return jdbc.sql("select exists (select from run where id = :run)")
        .param("run", run)
        .query(Boolean.class)
        .single();
  }

  Optional<InboundHook> find(String graph, String trigger) {
    return jdbc.sql(
            """
            select graph, trigger, scheme, secret, condition, input, caller, credential, reach_all,
                   reach_own
              from inbound_hook
             where graph = :graph and trigger = :trigger
               and exists (select from graph
                            where name = inbound_hook.graph and newest = inbound_hook.version
                              and newest > hidden_through)
            """)
        .param("graph", graph)
        .param("trigger", trigger)
        .query((row, _) -> hook(row))
        .optional();
  }

  private static InboundHook hook(ResultSet row) throws SQLException {
    var graph = row.getString("graph");
    return new InboundHook(
        graph,
        row.getString("trigger"),
        new DeclaredHook(
            HookScheme.find(row.getString("scheme")).orElseThrow(),
            row.getString("secret"),
            Optional.ofNullable(row.getString("condition")),
            StoredJson.object(row.getString("input"))),
        CallerColumns.caller(row, Tenant.of(graph)));
  }
}
