package dev.superstep.run.drive;

import dev.superstep.checkpoint.StoredForm;
import dev.superstep.database.Pools;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Chooses the next run when more runs wait than there is room for. Places are shared between
/// callers first: the next is for the caller of whom this replica drives the fewest runs; of
/// several such, for the one that comes next in the round, which matters where runs are so short
/// that none is driven when the next one is chosen. Of one caller the highest priority comes first;
/// among equals the graph of which the fewest runs are driven, then the one that comes next in the
/// round; of one graph, the run that has waited longest. Neither ten thousand queued runs nor a
/// high priority starve another caller.
///
/// A turn reads a part of the round only, so that its cost does not grow with the callers that
/// wait. The chosen caller is in that part, and the next turn begins behind it: the round never
/// passes a caller without a driven run, who therefore has a turn after at most as many turns as
/// callers wait.
@Component
public class RunQueue {
  /// Callers, and graphs of the chosen one, that are read for a turn.
  private static final int SHARES_MAX = 200;

  private static final int LAST_GRAPHS_MAX = 10_000;

  /// Callers and graphs with runs that wait. One index look-up for each pair.
  private static final String PAIRS =
      """
      with recursive waiting (caller, graph, seen) as (
        (select caller, graph, 1 from run where status = 'queued' and wakes_at is null
          order by caller, graph limit 1)
        union all
        select next.caller, next.graph, seen + 1
          from waiting
          cross join lateral (
            select run.caller, run.graph from run
             where run.status = 'queued' and run.wakes_at is null
               and (run.caller, run.graph) > (waiting.caller, waiting.graph)
             order by run.caller, run.graph limit 1) as next
         where seen < %d
      )
      """
          .formatted(SHARES_MAX);

  /// Runs that have been waiting for longer than the way through the queue takes.
  private static final String WAITING =
      PAIRS
          + """
          select caller, count(*) from waiting
           where exists (select from run
                          where status = 'queued' and wakes_at is null
                            and run.caller = waiting.caller and run.graph = waiting.graph
                            and takeovers < %d and form <= %d
                            and coalesce(queued_at, created_at)
                                < now() - interval '300 milliseconds')
           group by caller
          """
              .formatted(Suspects.DEATHS, StoredForm.NEWEST);

  private static final String RUNS_WAITING =
      """
      select count(*) from (
        select from run
         where status = 'queued' and wakes_at is null and owner is null
           and takeovers < %d and form <= %d
           and coalesce(queued_at, created_at) < now() - interval '300 milliseconds'
         limit ?) as waiting
      """
          .formatted(Suspects.DEATHS, StoredForm.NEWEST);

  /// The next caller, among the [#SHARES_MAX] that come next in the round behind the caller of the
  /// last turn.
  private static final String CALLER =
      """
      with recursive behind (caller, seen) as (
        (select caller, 1 from run
          where status = 'queued' and wakes_at is null and caller > :last
          order by caller limit 1)
        union all
        select next.caller, seen + 1
          from behind
          cross join lateral (
            select run.caller from run
             where run.status = 'queued' and run.wakes_at is null and run.caller > behind.caller
             order by run.caller limit 1) as next
         where seen < %1$d
      ), before (caller, seen) as (
        (select run.caller, 1 + (select count(*) from behind) from run
          where status = 'queued' and wakes_at is null and caller <= :last
            and (select count(*) from behind) < %1$d
          order by caller limit 1)
        union all
        select next.caller, seen + 1
          from before
          cross join lateral (
            select run.caller from run
             where run.status = 'queued' and run.wakes_at is null
               and run.caller > before.caller and run.caller <= :last
             order by run.caller limit 1) as next
         where seen < %1$d
      ), round as (
        select caller, seen from behind union all select caller, seen from before
      )
      select round.caller
        from round
        left join unnest(:callers::text[], :driven::integer[]) as here (caller, driven)
          on here.caller = round.caller
       where exists (select from run
                      where status = 'queued' and wakes_at is null and owner is null
                        and run.caller = round.caller and id <> all(:offered)
                        and (takeovers < :suspect or :admits) and form <= :form)
         and exists (select from run
                      where id = :run and status = 'queued' and wakes_at is null)
       order by coalesce(here.driven, 0), round.seen
       limit 1
      """
          .formatted(SHARES_MAX);

  /// The next run of that caller, among the [#SHARES_MAX] graphs that come next in the round behind
  /// the graph of the caller's last turn.
  private static final String RUN =
      """
      with recursive behind (graph, seen) as (
        (select graph, 1 from run
          where status = 'queued' and wakes_at is null and caller = :caller and graph > :last
          order by graph limit 1)
        union all
        select next.graph, seen + 1
          from behind
          cross join lateral (
            select run.graph from run
             where run.status = 'queued' and run.wakes_at is null
               and run.caller = :caller and run.graph > behind.graph
             order by run.graph limit 1) as next
         where seen < %1$d
      ), before (graph, seen) as (
        (select run.graph, 1 + (select count(*) from behind) from run
          where status = 'queued' and wakes_at is null and caller = :caller and graph <= :last
            and (select count(*) from behind) < %1$d
          order by graph limit 1)
        union all
        select next.graph, seen + 1
          from before
          cross join lateral (
            select run.graph from run
             where run.status = 'queued' and run.wakes_at is null
               and run.caller = :caller and run.graph > before.graph and run.graph <= :last
             order by run.graph limit 1) as next
         where seen < %1$d
      ), round as (
        select graph, seen from behind union all select graph, seen from before
      )
      select next.id, next.wake, round.graph
        from round
        cross join lateral (
          select id, wake, priority from run
           where status = 'queued' and wakes_at is null and owner is null
             and run.caller = :caller and run.graph = round.graph
             and id <> all(:offered)
             and (takeovers < :suspect or :admits) and form <= :form
           order by priority desc, coalesce(queued_at, created_at), id limit 1) as next
        left join unnest(:graphs::text[], :driven::integer[]) as here (name, driven)
          on here.name = :caller || '/' || round.graph
       order by next.priority desc, coalesce(here.driven, 0), round.seen
       limit 1
      """
          .formatted(SHARES_MAX);

  private final JdbcClient jdbc;
  private final Suspects suspects;
  private final Set<String> offered = new ConcurrentSkipListSet<>();
  private final FairShares callers = new FairShares();

  /// Shares of graphs, by caller.
  private final FairShares graphs = new FairShares();

  /// The caller of the last turn.
  private String lastCaller = "";

  /// The graph of the last turn, by caller.
  private final SequencedMap<String, String> lastGraphs = new LinkedHashMap<>();

  /// How many graphs of each caller have runs that wait.
  private volatile Map<String, Integer> waiting = Map.of();

  RunQueue(@Qualifier(Pools.SCHEDULER) JdbcClient jdbc, Suspects suspects) {
    this.jdbc = jdbc;
    this.suspects = suspects;
  }

  /// A run, and the wake number with which it can be claimed.
  ///
  /// @param chosen where it was chosen from among several; null: nothing competes with it
  public record QueueTurn(String run, long wake, @Nullable QueueKey chosen) {}

  /// @param caller of the chosen run
  /// @param graph of that caller
  record QueueKey(String caller, String graph) {}

  /// Counts the callers and graphs that have waiting runs.
  public void refresh() {
    var found = new HashMap<String, Integer>();
    jdbc.sql(WAITING)
        .query(row -> {
          found.put(row.getString(1), row.getInt(2));
        });
    waiting = Map.copyOf(found);
  }

  /// Whether runs wait, as of the last refresh.
  public boolean someWait() {
    return !waiting.isEmpty();
  }

  /// Whether a run of this caller that comes now has to queue: it has runs that wait, or another
  /// caller has who holds no more places here.
  public boolean comesBehind(String caller) {
    var others = waiting;
    int own = callers.of(caller);
    return others.containsKey(caller)
        || others.keySet().stream().anyMatch(it -> callers.of(it) <= own);
  }

  /// How many runs wait, up to `max`.
  public int runsWaiting(int max) {
    return jdbc.sql(RUNS_WAITING).param(max).query(Integer.class).single();
  }

  /// Whether runs of several callers or graphs wait, as of the last refresh.
  public boolean isContended() {
    return waiting.values().stream().mapToInt(Integer::intValue).sum() > 1;
  }

  /// Chooses the run for the room that is there for `run`: another one only if several compete and
  /// `run` waits in the queue, not for a scheduled time. Until it is [settled][#settled] it counts
  /// as driven, and is not offered again, so that concurrent threads do not all serve the same
  /// caller.
  public synchronized QueueTurn next(String run, long wake) {
    var own = new QueueTurn(run, wake, null);
    if (!isContended()) {
      return own;
    }
    var turn = choose(run).orElse(own);
    var chosen = turn.chosen();
    if (chosen != null) {
      offered.add(turn.run());
      started(chosen.caller(), chosen.graph());
      lastCaller = chosen.caller();
      lastGraphs.putLast(chosen.caller(), chosen.graph());
      if (lastGraphs.size() > LAST_GRAPHS_MAX) {
        lastGraphs.pollFirstEntry();
      }
    }
    return turn;
  }

  private Optional<QueueTurn> choose(String run) {
    var shares = callers.columns();
    return choosing(CALLER)
        .param("run", run)
        .param("last", lastCaller)
        .param("callers", shares.names())
        .param("driven", shares.driven())
        .query(String.class)
        .optional()
        .flatMap(this::chooseOf);
  }

  private Optional<QueueTurn> chooseOf(String caller) {
    var shares = graphs.columns();
    return choosing(RUN)
        .param("caller", caller)
        .param("last", lastGraphs.getOrDefault(caller, ""))
        .param("graphs", shares.names())
        .param("driven", shares.driven())
        .query((row, _) ->
            new QueueTurn(row.getString(1), row.getLong(2), new QueueKey(caller, row.getString(3))))
        .optional();
  }

  private JdbcClient.StatementSpec choosing(String sql) {
    return jdbc.sql(sql)
        .param("offered", offered.toArray(String[]::new))
        .param("suspect", Suspects.DEATHS)
        .param("form", StoredForm.NEWEST)
        .param("admits", suspects.isFree());
  }

  /// The run of this turn has begun and is counted by itself, or another replica had claimed it.
  public void settled(QueueTurn turn) {
    var chosen = turn.chosen();
    if (chosen != null) {
      offered.remove(turn.run());
      ended(chosen.caller(), chosen.graph());
    }
  }

  public void started(String caller, String graph) {
    callers.started(caller);
    graphs.started(name(caller, graph));
  }

  public void ended(String caller, String graph) {
    callers.ended(caller);
    graphs.ended(name(caller, graph));
  }

  private static String name(String caller, String graph) {
    return caller + "/" + graph;
  }

  /// Counts the places of this replica that each of several competitors holds.
  private static final class FairShares {
    private final ConcurrentHashMap<String, Integer> driven = new ConcurrentHashMap<>();

    /// The counts as columns of a statement.
    record Columns(String[] names, Integer[] driven) {}

    void started(String name) {
      driven.merge(name, 1, Integer::sum);
    }

    void ended(String name) {
      driven.computeIfPresent(name, (_, runs) -> runs == 1 ? null : runs - 1);
    }

    int of(String name) {
      return driven.getOrDefault(name, 0);
    }

    Columns columns() {
      var now = new TreeMap<>(driven);
      return new Columns(now.keySet().toArray(String[]::new), now.values().toArray(Integer[]::new));
    }
  }
}
