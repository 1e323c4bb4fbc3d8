package dev.superstep.checkpoint.jdbc;

import dev.superstep.checkpoint.codec.StoredObject;
import dev.superstep.engine.run.Event;
import dev.superstep.graph.NodeId;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/// Binds events as arrays, one per column of `run_event`.
public final class EventColumns {
  /// Inserts the bound events behind those of the run. Needs a common table expression `head` with
  /// the run's `id`, its `event_seq` after these events, and `at`.
  public static final String INSERT =
      """
      insert into run_event (run, seq, type, superstep, node, dispatch_id, data, at)
      select head.id, head.event_seq - :events + event.place, event.type, event.superstep,
             event.node, event.dispatch_id, event.data, head.at
        from head,
             unnest(:types::text[], :supersteps::integer[], :nodes::text[], :dispatches::text[],
                    :data::bytea[])
             with ordinality as event (type, superstep, node, dispatch_id, data, place)
      """;

  private EventColumns() {}

  public static StatementSpec bind(StatementSpec statement, List<Event> events) {
    return statement
        .param("events", events.size())
        .param("types", events.stream().map(Event::type).toArray(String[]::new))
        .param(
            "supersteps",
            events.stream().map(it -> it.superstep().orElse(null)).toArray(Integer[]::new))
        .param(
            "nodes",
            events.stream()
                .map(it -> it.node().map(NodeId::value).orElse(null))
                .toArray(String[]::new))
        .param(
            "dispatches",
            events.stream().map(it -> it.dispatchId().orElse(null)).toArray(String[]::new))
        .param(
            "data",
            events.stream().map(it -> StoredObject.bytes(it.data())).toArray(byte[][]::new));
  }
}
