package dev.superstep.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.PostgresBackend;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.engine.SampleRun;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// A driver of the release before has cut a superstep into three slices.
@StoreTest
class SlicesOfBeforeTests {
  @Autowired private PostgresBackend backend;
  private final SampleRun run = SampleRun.of("run-" + UUID.randomUUID());
  private final String alive = "alive-" + UUID.randomUUID();
  private SlicesOfBefore slices;

  @BeforeEach
  void cut() {
    slices = new SlicesOfBefore(backend.jdbc());
    backend.start(run.header, run.first());
    long epoch = backend.claim(run.id(), run.graph).lease().epoch();
    new ScheduledRows(backend.jdbc()).insertReplica(alive, Duration.ZERO, Duration.ofHours(1));
    insert(
        """
        insert into wide_superstep (run, superstep, lease_epoch, checkpoint, open, taken, lanes,
                                    quota, cut_at)
        values (?, ?, ?, 0, 3, 2, 4, 8, now())
        """,
        run.id(),
        run.open(),
        epoch);
    for (var owner : List.of(alive, "dead", "")) {
      insert(
          """
          insert into slice (run, superstep, lease_epoch, number, owner, tasks)
          select ?, ?, ?, count(*), nullif(?, ''), '{0}' from slice where run = ?
          """,
          run.id(), run.open(), epoch, owner, run.id());
    }
  }

  @AfterEach
  void leavesNoReplica() {
    insert("delete from scheduled_duties where task_instance = ?", alive);
  }

  private void insert(String sql, Object... parameters) {
    assertThat(backend.jdbc().sql(sql).params(parameters).update()).isOne();
  }

  private List<String> owners() {
    return backend
        .jdbc()
        .sql("select coalesce(owner, '') from slice where run = ? order by number")
        .param(run.id())
        .query((row, _) -> row.getString(1))
        .list();
  }

  private List<Integer> taken() {
    return backend
        .jdbc()
        .sql("select taken from wide_superstep where run = ?")
        .param(run.id())
        .query((row, _) -> row.getInt(1))
        .list();
  }

  /// The replica that finds the dead one may be of either release.
  @Test
  void freesWhatADeadReplicaHas() {
    slices.reconcile();

    assertThat(owners()).containsExactly(alive, "", "");
    assertThat(taken()).containsExactly(1);
  }

  @Test
  void goesWhenAnotherReplicaHasTheRun() {
    backend.claim(run.id(), run.graph);

    slices.reconcile();

    assertThat(owners()).isEmpty();
    assertThat(taken()).isEmpty();
  }

  /// Nobody may know how to deliver it any more.
  @Test
  void dropsInvitationsThatNobodyHasTaken() {
    var names = List.of(run.id() + "/0", run.id() + "/1");
    for (int i = 0; i < names.size(); i++) {
      insert(
          """
          insert into scheduled_tasks (task_name, task_instance, execution_time, picked, version)
          values ('slice', ?, now() - ? * interval '1 minute', ?, 1)
          """,
          names.get(i),
          2 * i,
          i > 0);
    }

    slices.reconcile();

    assertThat(new ScheduledRows(backend.jdbc()).scheduled())
        .anyMatch(it -> it.contains(names.getFirst()))
        .noneMatch(it -> it.contains(names.getLast()));
    insert("delete from scheduled_tasks where task_instance = ?", names.getFirst());
  }
}
