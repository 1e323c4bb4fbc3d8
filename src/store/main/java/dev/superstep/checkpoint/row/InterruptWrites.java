package dev.superstep.checkpoint.row;

import dev.superstep.database.PoolEntities;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.Interrupt;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hibernate.LockMode;
import org.hibernate.StatelessSession;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

/// Opens and closes interrupts in the transaction of a driver's write, which has locked the run: no
/// API call and no other driver changes an interrupt of the run meanwhile.
@Component
class InterruptWrites {
  private final PoolEntities entities;

  private record RaisedInterrupt(TaskKey task, Interrupt interrupt) {
    String id() {
      return interrupt.id();
    }
  }

  public InterruptWrites(@Qualifier(Pools.ENGINE) PoolEntities entities) {
    this.entities = entities;
  }

  /// Opens new interrupts, and closes open ones whose task does not wait for them any more: they
  /// have expired, or the run is cancelled.
  public void write(String run, Commit commit) {
    commit.checkpoint().ifPresent(it -> open(run, it.delta().tasks()));
    if (commit.head().status() == RunStatus.CANCELLED) {
      closeOthers(run, "cancelled", Set.of());
    } else {
      commit
          .checkpoint()
          .ifPresent(it -> {
            var held = raised(it.after().held().values());
            closeOthers(
                run, "expired", held.stream().map(RaisedInterrupt::id).collect(Collectors.toSet()));
          });
    }
  }

  /// Opens those that are not open. One that was asked before and closed since is open again: a
  /// task that is repeated asks under the same id. An answer that was accepted counts.
  public void open(String run, Collection<TaskRecord> records) {
    var raised = raised(records);
    if (!raised.isEmpty()) {
      entities.run(session -> open(session, run, raised));
    }
  }

  private static int open(StatelessSession session, String run, List<RaisedInterrupt> raised) {
    var known = statuses(session, raised);
    var graph =
        session
            .createSelectionQuery(
                "select r.origin.graph from RunEntity r where r.id = :run", String.class)
            .setParameter("run", run)
            .getSingleResult();
    for (var it : raised) {
      var status = known.get(it.id());
      var opened = new InterruptEntity(run, graph, it.task(), it.interrupt());
      if (status == null) {
        session.insert(opened);
      } else if (!status.equals("open") && !status.equals("answered")) {
        session.update(opened);
      }
    }
    return raised.size();
  }

  private static Map<String, String> statuses(
      StatelessSession session, List<RaisedInterrupt> raised) {
    return session
        .createSelectionQuery(
            "select i.id, i.status from InterruptEntity i where i.id in :ids", Object[].class)
        .setParameterList("ids", raised.stream().map(RaisedInterrupt::id).toList())
        .getResultStream()
        .collect(Collectors.toMap(it -> (String) it[0], it -> (String) it[1]));
  }

  private void closeOthers(String run, String how, Set<String> stillOpen) {
    entities.run(session -> {
      var closed =
          session
              .createSelectionQuery(
                  "select i.id from InterruptEntity i where i.run = :run and i.status = 'open'",
                  String.class)
              .setParameter("run", run)
              .getResultStream()
              .filter(it -> !stillOpen.contains(it))
              .toList();
      return close(session, how, closed);
    });
  }

  private static int close(StatelessSession session, String how, List<String> ids) {
    return ids.isEmpty()
        ? 0
        : session
            .createMutationQuery(
                """
                update InterruptEntity i
                   set i.status = :how, i.closedAt = function('clock_timestamp' as Instant)
                 where i.id in :ids and i.status = 'open'
                """)
            .setParameter("how", how)
            .setParameterList("ids", ids)
            .executeUpdate();
  }

  /// Closes interrupts that are still open. It waits for an API call that answers one at the same
  /// time; that answer counts.
  public void expire(Lease lease, List<String> ids) {
    entities.run(session -> {
      var fenced =
          session
              .createSelectionQuery(
                  "from RunEntity r where r.id = :run and r.leaseEpoch = :epoch", Object.class)
              .setParameter("run", lease.run())
              .setParameter("epoch", lease.epoch())
              .setHibernateLockMode(LockMode.PESSIMISTIC_WRITE)
              .getResultList();
      return fenced.isEmpty() ? 0 : close(session, "expired", ids);
    });
  }

  private static List<RaisedInterrupt> raised(Collection<TaskRecord> records) {
    var raised = new ArrayList<RaisedInterrupt>();
    for (var record : records) {
      if (record.status() instanceof TaskStatus.Interrupted(var interrupt)) {
        raised.add(new RaisedInterrupt(record.key(), interrupt));
      }
    }
    return raised;
  }
}
