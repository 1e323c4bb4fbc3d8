package dev.superstep.run;

import dev.superstep.database.Pools;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Whose turn it is when more runs wait than there is room for: the highest priority first; among
/// equals the graph of which this replica drives the fewest runs; of one graph, the run that has
/// waited longest. A graph with ten thousand queued runs does not starve another.
@Component
class Turns {
  private static final int GRAPHS_MAX = 200;

  /// Graphs with runs that have been waiting for longer than the way through the queue takes. One
  /// look at the index per graph.
  private static final String GRAPHS =
      """
      with recursive waiting (graph, seen) as (
        (select graph, 1 from run where status = 'queued' and wakes_at is null
          order by graph limit 1)
        union all
        select (select next.graph from run as next
                 where next.status = 'queued' and next.wakes_at is null
                   and next.graph > waiting.graph
                 order by next.graph limit 1),
               seen + 1
          from waiting
         where waiting.graph is not null and seen < %d
      )
      """
          .formatted(GRAPHS_MAX);

  private static final String WAITING =
      GRAPHS
          + """
          select count(*) from waiting
           where graph is not null
             and exists (select from run
                          where status = 'queued' and wakes_at is null
                            and run.graph = waiting.graph
                            and created_at < now() - interval '300 milliseconds')
          """;

  private static final String NEXT =
      GRAPHS
          + """
          select next.id, next.wake
            from waiting
            cross join lateral (
              select id, wake, priority, created_at from run
               where status = 'queued' and wakes_at is null and owner is null
                 and run.graph = waiting.graph
               order by priority desc, created_at, id limit 1) as next
            left join unnest(:graphs::text[], :driven::integer[]) as here (graph, driven)
              on here.graph = waiting.graph
           where exists (select from run
                          where id = :run and status = 'queued' and wakes_at is null)
           order by next.priority desc, coalesce(here.driven, 0), next.created_at, next.id
           limit 1
          """;

  private final ConcurrentHashMap<String, Integer> driven = new ConcurrentHashMap<>();
  private final JdbcClient jdbc;
  private volatile long graphsWaiting;

  Turns(@Qualifier(Pools.SCHEDULER) JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// A queued run, and the wake number with which it can be claimed.
  record Turn(String run, long wake) {}

  /// Looks how many graphs have runs that wait.
  void look() {
    graphsWaiting = jdbc.sql(WAITING).query(Long.class).single();
  }

  /// Whether runs wait, as of the last look: who comes now has to queue, too.
  boolean someWait() {
    return graphsWaiting > 0;
  }

  /// Whether runs of several graphs wait, as of the last look.
  boolean severalCompete() {
    return graphsWaiting > 1;
  }

  /// The run that has the best right to the room that was offered to `run`, if several graphs
  /// compete; empty: `run` itself, for nobody competes, or because it does not wait in the queue
  /// but for a time that has come.
  Optional<Turn> instead(String run) {
    if (!severalCompete()) {
      return Optional.empty();
    }
    var here = new TreeMap<>(driven);
    return jdbc.sql(NEXT)
        .param("run", run)
        .param("graphs", here.keySet().toArray(String[]::new))
        .param("driven", here.values().toArray(Integer[]::new))
        .query((row, _) -> new Turn(row.getString(1), row.getLong(2)))
        .optional()
        .filter(it -> !it.run().equals(run));
  }

  void begun(String graph) {
    driven.merge(graph, 1, Integer::sum);
  }

  void ended(String graph) {
    driven.computeIfPresent(graph, (_, runs) -> runs == 1 ? null : runs - 1);
  }
}
