package dev.superstep.run.drive;

import dev.superstep.checkpoint.StoredForm;
import dev.superstep.database.Pools;
import dev.superstep.engine.node.SlotCounts.WithoutRoom;
import dev.superstep.tenant.Share;
import dev.superstep.tenant.Tenant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Chooses the next run when more runs wait than there is room for. Places are shared between
/// tenants first: the next is for the tenant of whom this replica drives the fewest runs; of
/// several such, for the one that comes next in the round, which matters where runs are so short
/// that none is driven when the next one is chosen. Of one tenant it is for one of its callers, in
/// the same way. Of one caller the highest priority comes first; among equals the graph of which
/// the fewest runs are driven, then the one that comes next in the round; of one graph, the run
/// that has waited longest. Neither ten thousand queued runs nor a high priority starve another
/// tenant or caller.
///
/// A turn reads a part of each round only, so that its cost does not grow with the runs, and not
/// beyond that part with the tenants and callers, that wait. The chosen one is in that part, and
/// the next turn begins behind it: a round never passes one without a driven run, who therefore has
/// a turn after at most as many turns as others wait in the same round.
@Component
public class RunQueue {
  /// Tenants, callers of the chosen one, and graphs of that one's chosen caller, that are read for
  /// a turn.
  private static final int SHARES_MAX = 200;

  private static final int LAST_MAX = 10_000;

  /// Tenants that are looked at for one who has runs of callers that may have room.
  private static final int TENANTS_TRIED = 20;

  /// Instead of the run for which there is room.
  private static final String ANY = "";

  /// Tenants with runs that wait, and of each callers and graphs: all of them together are about as
  /// many as there may be of one tenant that is alone. One index look-up for each.
  private static final String PAIRS =
      """
      with recursive tenants (tenant, seen) as (
        (select tenant_of(id), 1 from run where status = 'queued' and wakes_at is null
          order by tenant_of(id) limit 1)
        union all
        select next.tenant, seen + 1
          from tenants
          cross join lateral (
            select tenant_of(run.id) as tenant from run
             where run.status = 'queued' and run.wakes_at is null
               and tenant_of(run.id) > tenants.tenant
             order by tenant_of(run.id) limit 1) as next
         where seen < %1$d
      ), waiting (tenant, caller, graph, seen) as (
        select tenants.tenant, first.caller, first.graph, 1
          from tenants
          cross join lateral (
            select run.caller, run.graph from run
             where run.status = 'queued' and run.wakes_at is null
               and tenant_of(run.id) >= tenants.tenant and tenant_of(run.id) <= tenants.tenant
             order by tenant_of(run.id), run.caller, run.graph limit 1) as first
        union all
        select waiting.tenant, next.caller, next.graph, seen + 1
          from waiting
          cross join lateral (
            select run.caller, run.graph from run
             where run.status = 'queued' and run.wakes_at is null
               and (tenant_of(run.id), run.caller, run.graph)
                     > (waiting.tenant, waiting.caller, waiting.graph)
               and tenant_of(run.id) <= waiting.tenant
             order by tenant_of(run.id), run.caller, run.graph limit 1) as next
         where seen < %1$d / (select count(*) from tenants)
      )
      """
          .formatted(SHARES_MAX);

  /// Runs that have been waiting for longer than the way through the queue takes.
  private static final String WAITING =
      PAIRS
          + """
          select tenant, waiting.caller, count(*)
            from waiting
            cross join lateral (
              select from run
               where status = 'queued' and wakes_at is null
                 and tenant_of(run.id) = waiting.tenant
                 and run.caller = waiting.caller and run.graph = waiting.graph
                 and takeovers < %d and form <= %d
                 and coalesce(queued_at, created_at) < now() - interval '300 milliseconds'
               order by priority desc, coalesce(queued_at, created_at), id limit 1) as first
           group by tenant, waiting.caller
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

  /// What a run needs so that this replica may take it.
  private static final String TAKEABLE =
      """
      status = 'queued' and wakes_at is null and owner is null
      and id <> all(:offered) and (takeovers < %d or :admits) and form <= %d
      """
          .formatted(Suspects.DEATHS, StoredForm.NEWEST);

  /// The next tenant, among the [#SHARES_MAX] that come next in the round behind the tenant of the
  /// last turn. Each probe for a run has a limit and the order of the index that begins with
  /// tenants: so no plan reads all that wait, whatever the statistics say.
  private static final String TENANT =
      """
      with recursive behind (tenant, seen) as (
        (select tenant_of(id), 1 from run
          where status = 'queued' and wakes_at is null and tenant_of(id) > :last
          order by tenant_of(id) limit 1)
        union all
        select next.tenant, seen + 1
          from behind
          cross join lateral (
            select tenant_of(run.id) as tenant from run
             where run.status = 'queued' and run.wakes_at is null
               and tenant_of(run.id) > behind.tenant
             order by tenant_of(run.id) limit 1) as next
         where seen < %1$d
      ), before (tenant, seen) as (
        (select tenant_of(run.id), 1 + (select count(*) from behind) from run
          where status = 'queued' and wakes_at is null and tenant_of(id) <= :last
            and (select count(*) from behind) < %1$d
          order by tenant_of(run.id) limit 1)
        union all
        select next.tenant, seen + 1
          from before
          cross join lateral (
            select tenant_of(run.id) as tenant from run
             where run.status = 'queued' and run.wakes_at is null
               and tenant_of(run.id) > before.tenant and tenant_of(run.id) <= :last
             order by tenant_of(run.id) limit 1) as next
         where seen < %1$d
      ), round as (
        select tenant, seen from behind union all select tenant, seen from before
      )
      select round.tenant
        from round
        cross join lateral (
          select from run
           where %2$s
             and tenant_of(run.id) >= round.tenant and tenant_of(run.id) <= round.tenant
           order by tenant_of(run.id), run.caller, run.graph limit 1) as takeable
        left join unnest(:names::text[], :driven::integer[]) as here (name, driven)
          on here.name = round.tenant
       where round.tenant <> all(:without)
       order by coalesce(here.driven, 0), round.seen
       limit 1
      """
          .formatted(SHARES_MAX, TAKEABLE);

  /// The next caller of that tenant, in the same way.
  private static final String CALLER =
      """
      with recursive behind (caller, seen) as (
        (select caller, 1 from run
          where status = 'queued' and wakes_at is null
            and (tenant_of(id), caller) > (:tenant, :last) and tenant_of(id) <= :tenant
          order by tenant_of(id), caller limit 1)
        union all
        select next.caller, seen + 1
          from behind
          cross join lateral (
            select run.caller from run
             where run.status = 'queued' and run.wakes_at is null
               and (tenant_of(run.id), run.caller) > (:tenant, behind.caller)
               and tenant_of(run.id) <= :tenant
             order by tenant_of(run.id), run.caller limit 1) as next
         where seen < %1$d
      ), before (caller, seen) as (
        (select run.caller, 1 + (select count(*) from behind) from run
          where status = 'queued' and wakes_at is null
            and tenant_of(id) >= :tenant and (tenant_of(id), caller) <= (:tenant, :last)
            and (select count(*) from behind) < %1$d
          order by tenant_of(id), caller limit 1)
        union all
        select next.caller, seen + 1
          from before
          cross join lateral (
            select run.caller from run
             where run.status = 'queued' and run.wakes_at is null
               and (tenant_of(run.id), run.caller) > (:tenant, before.caller)
               and (tenant_of(run.id), run.caller) <= (:tenant, :last)
             order by tenant_of(run.id), run.caller limit 1) as next
         where seen < %1$d
      ), round as (
        select caller, seen from behind union all select caller, seen from before
      )
      select round.caller
        from round
        cross join lateral (
          select from run
           where %2$s
             and (tenant_of(run.id), run.caller) >= (:tenant, round.caller)
             and (tenant_of(run.id), run.caller) <= (:tenant, round.caller)
           order by tenant_of(run.id), run.caller, run.graph limit 1) as takeable
        left join unnest(:names::text[], :driven::integer[]) as here (name, driven)
          on here.name = :tenant || '/' || round.caller
       where :tenant || '/' || round.caller <> all(:without)
         and (:run = '' or exists (select from run
                      where id = :run and status = 'queued' and wakes_at is null))
       order by coalesce(here.driven, 0), round.seen
       limit 1
      """
          .formatted(SHARES_MAX, TAKEABLE);

  /// The next run of that caller, among the [#SHARES_MAX] graphs that come next in the round behind
  /// the graph of the caller's last turn.
  private static final String RUN =
      """
      with recursive behind (graph, seen) as (
        (select graph, 1 from run
          where status = 'queued' and wakes_at is null
            and (tenant_of(id), caller, graph) > (:tenant, :caller, :last)
            and (tenant_of(id), caller) <= (:tenant, :caller)
          order by tenant_of(id), caller, graph limit 1)
        union all
        select next.graph, seen + 1
          from behind
          cross join lateral (
            select run.graph from run
             where run.status = 'queued' and run.wakes_at is null
               and (tenant_of(run.id), run.caller, run.graph) > (:tenant, :caller, behind.graph)
               and (tenant_of(run.id), run.caller) <= (:tenant, :caller)
             order by tenant_of(run.id), run.caller, run.graph limit 1) as next
         where seen < %1$d
      ), before (graph, seen) as (
        (select run.graph, 1 + (select count(*) from behind) from run
          where status = 'queued' and wakes_at is null
            and (tenant_of(id), caller) >= (:tenant, :caller)
            and (tenant_of(id), caller, graph) <= (:tenant, :caller, :last)
            and (select count(*) from behind) < %1$d
          order by tenant_of(id), caller, graph limit 1)
        union all
        select next.graph, seen + 1
          from before
          cross join lateral (
            select run.graph from run
             where run.status = 'queued' and run.wakes_at is null
               and (tenant_of(run.id), run.caller, run.graph) > (:tenant, :caller, before.graph)
               and (tenant_of(run.id), run.caller, run.graph) <= (:tenant, :caller, :last)
             order by tenant_of(run.id), run.caller, run.graph limit 1) as next
         where seen < %1$d
      ), round as (
        select graph, seen from behind union all select graph, seen from before
      )
      select next.id, next.wake, round.graph
        from round
        cross join lateral (
          select id, wake, priority from run
           where %2$s
             and tenant_of(run.id) = :tenant and run.caller = :caller and run.graph = round.graph
           order by priority desc, coalesce(queued_at, created_at), id limit 1) as next
        left join unnest(:names::text[], :driven::integer[]) as here (name, driven)
          on here.name = :tenant || '/' || :caller || '/' || round.graph
       order by next.priority desc, coalesce(here.driven, 0), round.seen
       limit 1
      """
          .formatted(SHARES_MAX, TAKEABLE);

  private final JdbcClient jdbc;
  private final Suspects suspects;
  private final Set<String> offered = new ConcurrentSkipListSet<>();
  private final DrivenRuns tenants = new DrivenRuns();

  /// By [Share#text].
  private final DrivenRuns shares = new DrivenRuns();

  /// By [Share#text] and graph.
  private final DrivenRuns graphs = new DrivenRuns();

  /// The tenant of the last turn.
  private String lastTenant = "";

  /// The caller of the last turn, by tenant.
  private final LastTurns lastCallers = new LastTurns();

  /// The graph of the last turn, by [Share#text].
  private final LastTurns lastGraphs = new LastTurns();

  /// How many graphs of each share have runs that wait.
  private volatile Map<Share, Integer> waiting = Map.of();

  RunQueue(@Qualifier(Pools.SCHEDULER) JdbcClient jdbc, Suspects suspects) {
    this.jdbc = jdbc;
    this.suspects = suspects;
  }

  /// A run, and the wake number with which it can be claimed.
  ///
  /// @param chosen where it was chosen from among several; null: nothing competes with it
  public record QueueTurn(String run, long wake, @Nullable QueueKey chosen) {}

  /// @param share of the chosen run
  /// @param graph of that share
  record QueueKey(Share share, String graph) {}

  /// Counts the shares and graphs that have waiting runs.
  public void refresh() {
    var found = new HashMap<Share, Integer>();
    jdbc.sql(WAITING)
        .query(row -> {
          found.put(new Share(row.getString(1), row.getString(2)), row.getInt(3));
        });
    waiting = Map.copyOf(found);
  }

  /// Whether runs wait, as of the last refresh.
  public boolean someWait() {
    return !waiting.isEmpty();
  }

  /// Whether runs wait, as of the last refresh, of a share that `condition` accepts.
  boolean someWait(Predicate<Share> condition) {
    return waiting.keySet().stream().anyMatch(condition);
  }

  /// Whether a run of this share that comes now has to queue: it has runs that wait, or another
  /// tenant has that holds no more places here, or another caller of the tenant.
  public boolean comesBehind(Share share) {
    var others = waiting;
    if (others.isEmpty()) {
      return false;
    }
    int ofTenant = tenants.of(share.tenant());
    int own = shares.of(share.text());
    return others.containsKey(share)
        || others.keySet().stream()
            .anyMatch(it ->
                it.tenant().equals(share.tenant())
                    ? shares.of(it.text()) <= own
                    : tenants.of(it.tenant()) <= ofTenant);
  }

  /// How many runs wait, up to `max`.
  public int runsWaiting(int max) {
    return jdbc.sql(RUNS_WAITING).param(max).query(Integer.class).single();
  }

  /// Whether runs of several shares or graphs wait, as of the last refresh.
  public boolean isContended() {
    return waiting.values().stream().mapToInt(Integer::intValue).sum() > 1;
  }

  /// Chooses the run for the room that is there for `run`: another one only if several compete and
  /// `run` waits in the queue, not for a scheduled time. Until it is [settled][#settled] it counts
  /// as driven, and is not offered again, so that concurrent threads do not all serve the same
  /// share.
  public synchronized QueueTurn next(String run, long wake) {
    var own = new QueueTurn(run, wake, null);
    return isContended() ? choose(run).orElse(own) : own;
  }

  /// Chooses a run, as [#next(String, long)] does, for room that is there for those who hold few
  /// places.
  ///
  /// @param without who may have none of it
  synchronized Optional<QueueTurn> next(WithoutRoom without) {
    var tenants = new HashSet<>(without.tenants());
    var shares = without.shares().stream().map(Share::text).collect(Collectors.toSet());
    for (int i = 0; i < TENANTS_TRIED; i++) {
      var tenant = tenant(ANY, tenants);
      var turn = tenant.flatMap(it -> chooseOf(it, ANY, shares));
      turn.ifPresent(this::offer);
      if (turn.isPresent() || tenant.isEmpty()) {
        return turn;
      }
      tenants.add(tenant.get());
    }
    return Optional.empty();
  }

  private Optional<QueueTurn> choose(String run) {
    var turn = tenant(run, Set.of()).flatMap(it -> chooseOf(it, run, Set.of()));
    turn.ifPresent(this::offer);
    return turn;
  }

  private void offer(QueueTurn turn) {
    var chosen = turn.chosen();
    if (chosen != null) {
      offered.add(turn.run());
      started(chosen.share(), chosen.graph());
      lastTenant = chosen.share().tenant();
      lastCallers.put(lastTenant, chosen.share().caller());
      lastGraphs.put(chosen.share().text(), chosen.graph());
    }
  }

  /// Costs nothing while runs of one tenant wait only.
  private Optional<String> tenant(String run, Set<String> without) {
    var known = waiting.keySet().stream().map(Share::tenant).collect(Collectors.toSet());
    if (!run.equals(ANY)) {
      known.add(Tenant.of(run).name());
    }
    return known.size() == 1
        ? Optional.of(known.iterator().next()).filter(it -> !without.contains(it))
        : choosing(TENANT, tenants)
            .param("without", without.toArray(String[]::new))
            .param("last", lastTenant)
            .query(String.class)
            .optional();
  }

  private Optional<QueueTurn> chooseOf(String tenant, String run, Set<String> without) {
    return choosing(CALLER, shares)
        .param("without", without.toArray(String[]::new))
        .param("tenant", tenant)
        .param("run", run)
        .param("last", lastCallers.of(tenant))
        .query(String.class)
        .optional()
        .flatMap(caller -> chooseOf(new Share(tenant, caller)));
  }

  private Optional<QueueTurn> chooseOf(Share share) {
    return choosing(RUN, graphs)
        .param("tenant", share.tenant())
        .param("caller", share.caller())
        .param("last", lastGraphs.of(share.text()))
        .query((row, _) ->
            new QueueTurn(row.getString(1), row.getLong(2), new QueueKey(share, row.getString(3))))
        .optional();
  }

  private JdbcClient.StatementSpec choosing(String sql, DrivenRuns driven) {
    var columns = driven.columns();
    return jdbc.sql(sql)
        .param("names", columns.names())
        .param("driven", columns.driven())
        .param("offered", offered.toArray(String[]::new))
        .param("admits", suspects.isFree());
  }

  /// The run of this turn has begun and is counted by itself, or another replica had claimed it.
  public void settled(QueueTurn turn) {
    var chosen = turn.chosen();
    if (chosen != null) {
      offered.remove(turn.run());
      ended(chosen.share(), chosen.graph());
    }
  }

  public void started(Share share, String graph) {
    tenants.started(share.tenant());
    shares.started(share.text());
    graphs.started(name(share, graph));
  }

  public void ended(Share share, String graph) {
    tenants.ended(share.tenant());
    shares.ended(share.text());
    graphs.ended(name(share, graph));
  }

  private static String name(Share share, String graph) {
    return share.text() + "/" + graph;
  }

  /// Who had the last turn of a round, for the rounds that have had turns lately.
  private static final class LastTurns {
    private final SequencedMap<String, String> last = new LinkedHashMap<>();

    String of(String round) {
      return last.getOrDefault(round, "");
    }

    void put(String round, String name) {
      last.putLast(round, name);
      if (last.size() > LAST_MAX) {
        last.pollFirstEntry();
      }
    }
  }

  /// Counts the places of this replica that each of several competitors holds.
  private static final class DrivenRuns {
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
