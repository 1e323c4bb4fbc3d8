package dev.superstep.run;

import dev.superstep.checkpoint.StoredForm;
import dev.superstep.database.Pools;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Whose turn it is when more runs wait than there is room for. Slots are shared between callers
/// first: the next is for the caller of whom this replica drives the fewest runs, then for the one
/// whose last turn is longest ago, which matters where runs are so short that none is driven when
/// the next one is chosen. Of one caller the highest priority comes first; among equals the graph
/// of which the fewest runs are driven, then the one whose last turn is longest ago; of one graph,
/// the run that has waited longest. Neither ten thousand queued runs nor a high priority starve
/// another caller.
@Component
class Turns {
  private static final int SHARES_MAX = 200;

  /// Callers and graphs with runs that wait. One look at the index for each pair.
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

  /// Those that have been waiting for longer than the way through the queue takes.
  private static final String WAITING =
      PAIRS
          + """
          select count(*) from waiting
           where exists (select from run
                          where status = 'queued' and wakes_at is null
                            and run.caller = waiting.caller and run.graph = waiting.graph
                            and takeovers < %d and form <= %d
                            and coalesce(queued_at, created_at)
                                < now() - interval '300 milliseconds')
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

  private static final String NEXT =
      """
      with recursive callers (caller, seen) as (
        (select caller, 1 from run where status = 'queued' and wakes_at is null
          order by caller limit 1)
        union all
        select next.caller, seen + 1
          from callers
          cross join lateral (
            select run.caller from run
             where run.status = 'queued' and run.wakes_at is null and run.caller > callers.caller
             order by run.caller limit 1) as next
         where seen < %1$d
      ), chosen as materialized (
        select callers.caller
          from callers
          left join unnest(:callers::text[], :callersDriven::integer[], :callersServed::bigint[])
                 as here (caller, driven, served)
            on here.caller = callers.caller
         where exists (select from run
                        where status = 'queued' and wakes_at is null and owner is null
                          and run.caller = callers.caller and id <> all(:offered)
                          and (takeovers < :suspect or :admits) and form <= :form)
         order by coalesce(here.driven, 0), coalesce(here.served, 0), callers.caller
         limit 1
      ), waiting (graph, seen) as (
        (select run.graph, 1 from run, chosen
          where run.status = 'queued' and run.wakes_at is null and run.caller = chosen.caller
          order by run.graph limit 1)
        union all
        select next.graph, seen + 1
          from waiting
          cross join lateral (
            select run.graph from run
             where run.status = 'queued' and run.wakes_at is null
               and run.caller = (select caller from chosen) and run.graph > waiting.graph
             order by run.graph limit 1) as next
         where seen < %1$d
      )
      select next.id, next.wake, chosen.caller, waiting.graph
        from chosen
        cross join waiting
        cross join lateral (
          select id, wake, priority, coalesce(queued_at, created_at) as since from run
           where status = 'queued' and wakes_at is null and owner is null
             and run.caller = chosen.caller and run.graph = waiting.graph
             and id <> all(:offered)
             and (takeovers < :suspect or :admits) and form <= :form
           order by priority desc, coalesce(queued_at, created_at), id limit 1) as next
        left join unnest(:graphs::text[], :graphsDriven::integer[], :graphsServed::bigint[])
               as here (name, driven, served)
          on here.name = chosen.caller || '/' || waiting.graph
       where exists (select from run
                      where id = :run and status = 'queued' and wakes_at is null)
       order by next.priority desc, coalesce(here.driven, 0), coalesce(here.served, 0),
               next.since, next.id
       limit 1
      """
          .formatted(SHARES_MAX);

  private final JdbcClient jdbc;
  private final Suspects suspects;
  private final Set<String> offered = new ConcurrentSkipListSet<>();
  private final Shares callers = new Shares(SHARES_MAX);

  /// Of one caller each.
  private final Shares graphs = new Shares(SHARES_MAX);

  private volatile long pairsWaiting;

  Turns(@Qualifier(Pools.SCHEDULER) JdbcClient jdbc, Suspects suspects) {
    this.jdbc = jdbc;
    this.suspects = suspects;
  }

  /// A run, and the wake number with which it can be claimed.
  ///
  /// @param chosen where it was chosen from among several; null: nothing competes with it
  record Turn(String run, long wake, @Nullable Place chosen) {}

  /// @param caller whose turn it is
  /// @param graph of that caller
  record Place(String caller, String graph) {}

  /// Looks how many callers and graphs have runs that wait.
  void look() {
    pairsWaiting = jdbc.sql(WAITING).query(Long.class).single();
    if (!severalCompete()) {
      callers.forgetTurns();
      graphs.forgetTurns();
    }
  }

  /// Whether runs wait, as of the last look: a run that comes now has to queue, too.
  boolean someWait() {
    return pairsWaiting > 0;
  }

  /// How many runs wait, up to `max`.
  int runsWaiting(int max) {
    return jdbc.sql(RUNS_WAITING).param(max).query(Integer.class).single();
  }

  /// Whether runs of several callers or graphs wait, as of the last look.
  boolean severalCompete() {
    return pairsWaiting > 1;
  }

  /// The run that has the best right to the room that is there for `run`: another one only if
  /// several compete and `run` waits in the queue, not for a time that has come. Until it is
  /// [settled][#settled] it counts as driven, and is not offered again, so that threads which ask
  /// at the same time do not all serve the same caller.
  synchronized Turn next(String run, long wake) {
    var own = new Turn(run, wake, null);
    if (!severalCompete()) {
      return own;
    }
    var turn = choose(run).orElse(own);
    var chosen = turn.chosen();
    if (chosen != null) {
      offered.add(turn.run());
      begun(chosen.caller(), chosen.graph());
      callers.served(chosen.caller());
      graphs.served(name(chosen.caller(), chosen.graph()));
    }
    return turn;
  }

  private Optional<Turn> choose(String run) {
    var callersHere = callers.columns();
    var graphsHere = graphs.columns();
    return jdbc.sql(NEXT)
        .param("run", run)
        .param("offered", offered.toArray(String[]::new))
        .param("suspect", Suspects.DEATHS)
        .param("form", StoredForm.NEWEST)
        .param("admits", suspects.isFree())
        .param("callers", callersHere.names())
        .param("callersDriven", callersHere.driven())
        .param("callersServed", callersHere.served())
        .param("graphs", graphsHere.names())
        .param("graphsDriven", graphsHere.driven())
        .param("graphsServed", graphsHere.served())
        .query((row, _) ->
            new Turn(
                row.getString(1), row.getLong(2), new Place(row.getString(3), row.getString(4))))
        .optional();
  }

  /// The run of this turn has begun, and is counted for itself, or another replica had it.
  void settled(Turn turn) {
    var chosen = turn.chosen();
    if (chosen != null) {
      offered.remove(turn.run());
      ended(chosen.caller(), chosen.graph());
    }
  }

  void begun(String caller, String graph) {
    callers.begun(caller);
    graphs.begun(name(caller, graph));
  }

  void ended(String caller, String graph) {
    callers.ended(caller);
    graphs.ended(name(caller, graph));
  }

  private static String name(String caller, String graph) {
    return caller + "/" + graph;
  }
}
