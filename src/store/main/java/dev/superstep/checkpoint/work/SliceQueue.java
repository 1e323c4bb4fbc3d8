package dev.superstep.checkpoint.work;

import dev.superstep.checkpoint.work.ClaimStatement.TaskClaim;
import dev.superstep.checkpoint.work.WorkArrivals.WorkType;
import dev.superstep.database.Pools;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// The queue of slices, for the replicas: they are its workers. It is of a tenant that cannot be,
/// so that no API call sees, claims or ends a slice. Each graph of each tenant has its turns.
@Component
public class SliceQueue {
  public static final String TENANT = "*";
  static final WorkType TYPE = new WorkType(TENANT, "*");

  /// That a superstep with a bound has a lane that is free, as its slices say in `wakes_below`.
  static final String ROOM =
      """
      (run.status = 'running'
       and (task.wakes_below = 0
            or task.wakes_below > (
                 select count(*) from task as other
                  where tenant_of(other.id) = tenant_of(task.id) and other.type = task.type
                    and other.graph = task.graph and other.state = 'claimed'
                    and other.run = task.run and other.superstep = task.superstep)))\
      """;

  /// A replica that comes late keeps what nobody else has claimed: after an outage, all do. A lease
  /// is prolonged when a third of it is over.
  private static final String KEEP =
      """
      with wanted as materialized (
        select task.id, task.token,
               task.lease_until < clock_timestamp() + heartbeat_ms * interval '0.67 millisecond'
                 as due
          from unnest(:ids::text[], :tokens::uuid[]) as held (id, token)
          join task on task.id = held.id and task.token = held.token and task.state = 'claimed'
          join run on run.id = task.run and run.status = 'running' and %s
      ), kept as (
        update task
           set lease_until = clock_timestamp() + heartbeat_ms * interval '1 millisecond'
          from wanted
         where wanted.due and task.id = wanted.id and task.token = wanted.token
           and task.state = 'claimed'
      )
      select token from wanted
      """
          .formatted(ClaimStatement.WANTED);

  /// A slice that was claimed this often is left to its driver: if it breaks its executors, that
  /// must count against its run.
  private static final int CLAIMS_MAX = 6;

  static final String SPENT =
      "(task.type = '%s' and task.claims >= %d)".formatted(TYPE.type(), CLAIMS_MAX);

  private static final String QUEUE_AGAIN =
      """
      update task
         set state = case when %1$s then 'withdrawn' else 'queued' end,
             token = null, lease_until = null,
             ended_at = case when %1$s then clock_timestamp() end
       where state = 'claimed'
      """
          .formatted(SPENT);

  private static final String LOSE =
      QUEUE_AGAIN
          + """
          and id in (select id from task
                      where tenant_of(id) = :tenant and state = 'claimed' and worker = :replica
                        for update skip locked)
          """;

  /// Runs at their bound that one look passes over.
  private static final int BOUND_MAX = 20;

  private final JdbcClient jdbc;
  private final ClaimStatement claims;
  private final WorkerTasks tasks;

  /// Of the pool of heartbeats: no load may look like the death of a replica.
  SliceQueue(@Qualifier(Pools.SCHEDULER) JdbcClient jdbc) {
    this.jdbc = jdbc;
    this.claims = new ClaimStatement(jdbc);
    this.tasks = new WorkerTasks(jdbc, claims);
  }

  /// Claims a slice.
  ///
  /// @param exceptRuns of which none is wanted
  public Optional<TakenSlice> claim(String replica, Set<String> exceptRuns) {
    var except = new HashSet<>(exceptRuns);
    while (except.size() <= exceptRuns.size() + BOUND_MAX && tasks.isQueued(Set.of(TYPE))) {
      var claimed =
          tasks.claim(taskClaim(replica, except)).stream().findFirst().map(TakenSlice::of);
      if (claimed.isEmpty() || keepsItsBound(claimed.get())) {
        return claimed;
      }
      except.add(claimed.get().of().run());
    }
    return Optional.empty();
  }

  /// Claims another slice of this superstep. That is a tenth of what it costs to give all graphs a
  /// turn.
  public Optional<TakenSlice> claimNext(String replica, WideSuperstep of) {
    return claims
        .execute(taskClaim(replica, Set.of()), of)
        .map(TakenSlice::of)
        .filter(this::keepsItsBound);
  }

  private static TaskClaim taskClaim(String replica, Set<String> exceptRuns) {
    return new TaskClaim(TENANT, Set.of(TYPE.type()), Optional.of(replica), 1, exceptRuns);
  }

  /// @return false if it was given back
  private boolean keepsItsBound(TakenSlice slice) {
    boolean over = isOver(slice);
    if (over) {
      tasks.release(slice.id(), slice.token());
    }
    return !over;
  }

  /// Whether its superstep has more lanes now than its bound allows. Of several replicas that claim
  /// at once, the last one sees what all have claimed.
  private boolean isOver(TakenSlice slice) {
    return slice.work().lanes().filter(it -> it < claimed(slice.of())).isPresent();
  }

  private int claimed(WideSuperstep wide) {
    return jdbc.sql(
            """
            select count(*) from task
             where run = :run and superstep = :superstep and tenant_of(id) = :tenant
               and state = 'claimed'
            """)
        .param("run", wide.run())
        .param("superstep", wide.superstep())
        .param("tenant", TENANT)
        .query(Integer.class)
        .single();
  }

  /// Prolongs leases.
  ///
  /// @return the tokens of those slices that are wanted, and no other replica's
  public Set<UUID> keep(Collection<TakenSlice> slices) {
    return jdbc.sql(KEEP)
        .param("ids", slices.stream().map(TakenSlice::id).toArray(String[]::new))
        .param("tokens", slices.stream().map(TakenSlice::token).toArray(UUID[]::new))
        .query((row, _) -> row.getObject("token", UUID.class))
        .set();
  }

  /// Queues an unfinished slice again: its recorded outcomes stay.
  public void giveBack(TakenSlice slice) {
    int _ =
        jdbc.sql(QUEUE_AGAIN + " and id = :id and token = :token")
            .param("id", slice.id())
            .param("token", slice.token())
            .update();
  }

  /// Withdraws a slice whose driver has lost the run.
  public void withdraw(TakenSlice slice) {
    int _ =
        jdbc.sql(
                """
                update task set state = 'withdrawn', ended_at = clock_timestamp()
                 where id = :id and token = :token and state = 'claimed'
                """)
            .param("id", slice.id())
            .param("token", slice.token())
            .update();
  }

  /// Queues the slices of a dead replica again.
  ///
  /// @return how many there were
  public int lose(String replica) {
    return jdbc.sql(LOSE).param("tenant", TENANT).param("replica", replica).update();
  }
}
