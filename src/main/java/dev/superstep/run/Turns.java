package dev.superstep.run;

import dev.superstep.checkpoint.StoredForm;
import dev.superstep.database.Pools;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Whose turn it is when more runs wait than there is room for: the highest priority first; among
/// equals the graph of which this replica drives the fewest runs, then the one whose last turn is
/// longest ago, which matters where runs are so short that none is driven when the next one is
/// chosen; of one graph, the run that has waited longest. A graph with ten thousand queued runs
/// does not starve another.
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
                            and takeovers < %d and form <= %d
                            and created_at < now() - interval '300 milliseconds')
          """
              .formatted(Suspects.DEATHS, StoredForm.NEWEST);

  private static final String NEXT =
      GRAPHS
          + """
          select next.id, next.wake, waiting.graph
            from waiting
            cross join lateral (
              select id, wake, priority, created_at from run
               where status = 'queued' and wakes_at is null and owner is null
                 and run.graph = waiting.graph and id <> all(:offered)
                 and (takeovers < :suspect or :admits) and form <= :form
               order by priority desc, created_at, id limit 1) as next
            left join unnest(:graphs::text[], :driven::integer[], :served::bigint[])
                   as here (graph, driven, served)
              on here.graph = waiting.graph
           where exists (select from run
                          where id = :run and status = 'queued' and wakes_at is null)
           order by next.priority desc, coalesce(here.driven, 0), coalesce(here.served, 0),
                   next.created_at, next.id
           limit 1
          """;

  private final ConcurrentHashMap<String, Integer> driven = new ConcurrentHashMap<>();
  private final JdbcClient jdbc;
  private final Suspects suspects;
  private final Set<String> offered = new ConcurrentSkipListSet<>();

  /// When each graph had its last turn since graphs compete, counted in turns.
  private final SequencedMap<String, Long> served = new LinkedHashMap<>();

  private long turnsGiven;
  private volatile long graphsWaiting;

  Turns(@Qualifier(Pools.SCHEDULER) JdbcClient jdbc, Suspects suspects) {
    this.jdbc = jdbc;
    this.suspects = suspects;
  }

  /// A run, and the wake number with which it can be claimed.
  ///
  /// @param graph of a run whose turn it is among several graphs; null: nobody competes with it
  record Turn(String run, long wake, @Nullable String graph) {}

  /// Looks how many graphs have runs that wait.
  void look() {
    graphsWaiting = jdbc.sql(WAITING).query(Long.class).single();
    if (!severalCompete()) {
      forget();
    }
  }

  private synchronized void forget() {
    served.clear();
  }

  /// Whether runs wait, as of the last look: who comes now has to queue, too.
  boolean someWait() {
    return graphsWaiting > 0;
  }

  /// Whether runs of several graphs wait, as of the last look.
  boolean severalCompete() {
    return graphsWaiting > 1;
  }

  /// The run that has the best right to the room that is there for `run`: another one only if
  /// several graphs compete and `run` waits in the queue, not for a time that has come. Until it is
  /// [settled][#settled] it counts as driven, and is not offered to anybody else, so that threads
  /// which ask at the same time do not all serve the same graph.
  synchronized Turn next(String run, long wake) {
    var own = new Turn(run, wake, null);
    if (!severalCompete()) {
      return own;
    }
    var here = new TreeSet<>(driven.keySet());
    here.addAll(served.keySet());
    var turn =
        jdbc.sql(NEXT)
            .param("run", run)
            .param("offered", offered.toArray(String[]::new))
            .param("suspect", Suspects.DEATHS)
            .param("form", StoredForm.NEWEST)
            .param("admits", suspects.isFree())
            .param("graphs", here.toArray(String[]::new))
            .param(
                "driven",
                here.stream().map(it -> driven.getOrDefault(it, 0)).toArray(Integer[]::new))
            .param(
                "served", here.stream().map(it -> served.getOrDefault(it, 0L)).toArray(Long[]::new))
            .query((row, _) -> new Turn(row.getString(1), row.getLong(2), row.getString(3)))
            .optional()
            .orElse(own);
    if (turn.graph() != null) {
      offered.add(turn.run());
      begun(turn.graph());
      served.putLast(turn.graph(), ++turnsGiven);
      if (served.size() > GRAPHS_MAX) {
        served.pollFirstEntry();
      }
    }
    return turn;
  }

  /// The run of this turn has begun, and is counted for itself, or somebody else had it.
  void settled(Turn turn) {
    if (turn.graph() != null) {
      offered.remove(turn.run());
      ended(turn.graph());
    }
  }

  void begun(String graph) {
    driven.merge(graph, 1, Integer::sum);
  }

  void ended(String graph) {
    driven.computeIfPresent(graph, (_, runs) -> runs == 1 ? null : runs - 1);
  }
}
