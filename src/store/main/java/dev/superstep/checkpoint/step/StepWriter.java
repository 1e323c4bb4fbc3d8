package dev.superstep.checkpoint.step;

import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.checkpoint.step.StepBatch.StepHead;
import dev.superstep.database.EntityColumns;
import dev.superstep.database.Pools;
import jakarta.persistence.EntityManagerFactory;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/// Records steps of tasks, those of all runs of this replica in shared statements. The row of the
/// run is locked for share, and not written: replicas record steps of one run side by side, claims
/// and commits come before or behind, and only the driver itself counts its writes.
@Component
class StepWriter {
  private static final Logger log = LoggerFactory.getLogger(StepWriter.class);

  private static final String HEADS =
      """
      with locked as materialized (
        select run.id, given.place, run.takeovers
          from rows from (unnest(?, ?, ?), generate_series(1, ?))
                 as given (run, epoch, behind, place)
          join run on run.id = given.run and run.lease_epoch = given.epoch
         where run.id = any(?) and run.status not in ('succeeded', 'failed', 'cancelled')
           and (given.behind < 0
                or given.behind = (select checkpoint.superstep from checkpoint
                                    where checkpoint.run = run.id
                                      and checkpoint.number = run.checkpoint))
         order by run.id
           for share of run%s
      ), kept as (
      """;

  private static final String STEPS =
      """
      from locked
      join rows from (unnest(?, ?, ?, ?, ?, ?, ?, ?), generate_series(1, ?))
             as step (place, superstep, task, ordinal, name, kind, attempt, content, line)
        on step.place = locked.place
      """;

  private static final String FIRST_WINS =
      """
      where task_step.attempt = excluded.attempt
      returning run, task, ordinal)
      select place, takeovers, null as task, null as ordinal from locked
      union all
      select locked.place, 0, kept.task, kept.ordinal
        from kept join locked on locked.id = kept.run
      """;

  /// A run that was taken over is no suspect once something of it is recorded. The lock of a step
  /// is shared, and could not be raised in the same statement.
  private static final String PROGRESS =
      "update run set takeovers = 0 where id = ? and lease_epoch = ? and takeovers > 0";

  private static final int TRIES = 5;
  private static final Duration PAUSE = Duration.ofMillis(1);

  private final JdbcTemplate shared;
  private final JdbcTemplate single;
  private final String skipping;
  private final String waiting;
  private final WriteBatcher<StepBatch> writeBatcher;

  StepWriter(
      @Qualifier(Pools.COMMITS) DataSource commits,
      @Qualifier(Pools.ENGINE) DataSource engine,
      EntityManagerFactory entities,
      StoreSettings settings) {
    shared = new JdbcTemplate(commits);
    single = new JdbcTemplate(engine);
    var columns = EntityColumns.of(entities, TaskStepEntity.class);
    var values =
        Map.of(
            "run", "locked.id",
            "task", "step.task",
            "ordinal", "step.ordinal",
            "superstep", "step.superstep",
            "name", "step.name",
            "kind", "step.kind",
            "attempt", "step.attempt::uuid",
            "content", "step.content",
            "recorded_at", "clock_timestamp()");
    var rest =
        "%s%n%s%s%n%s"
            .formatted(columns.insertSelect(values), STEPS, columns.onConflictUpdate(), FIRST_WINS);
    skipping = HEADS.formatted(" skip locked") + rest;
    waiting = HEADS.formatted("") + rest;
    writeBatcher = new WriteBatcher<>(settings.batch().bounds().withWriters(1), this::writeShared);
  }

  /// A statement waits for no other run's row: what it has passed over is tried again, in company,
  /// and waits in a statement of its own only in the end.
  ///
  /// @return whether the run was as its driver knows it
  boolean write(StepBatch batch) {
    for (int tries = 0; batch.isFenced() && tries < TRIES; tries++) {
      if (tries > 0) {
        LockSupport.parkNanos(PAUSE.toNanos() << tries);
      }
      writeBatcher.write(batch);
    }
    if (batch.isFenced()) {
      write(single, waiting, List.of(batch));
    }
    return !batch.isFenced();
  }

  private void writeShared(List<StepBatch> batch) {
    try {
      write(shared, skipping, batch);
    } catch (DataAccessException e) {
      log.debug("steps of {} tasks are recorded one by one", batch.size(), e);
    }
  }

  private void write(JdbcTemplate jdbc, String sql, List<StepBatch> batch) {
    var heads = new LinkedHashMap<StepHead, List<StepBatch>>();
    batch.forEach(it -> heads.computeIfAbsent(it.head(), _ -> new ArrayList<>()).add(it));
    var given = List.copyOf(heads.keySet());
    var members = List.copyOf(heads.values());
    var takenOver = new ArrayList<StepHead>();
    jdbc.query(
        sql,
        statement -> bind(statement, given, members),
        (ResultSet found) -> {
          int place = found.getInt(1) - 1;
          take(found, members.get(place));
          if (found.getInt(2) > 0) {
            takenOver.add(given.get(place));
          }
        });
    takenOver.forEach(it -> single.update(PROGRESS, it.run(), it.epoch()));
  }

  private static void take(ResultSet found, List<StepBatch> members) throws SQLException {
    var task = found.getString(3);
    int ordinal = found.getInt(4);
    for (var member : members) {
      if (task == null) {
        member.passed();
      } else {
        member.recorded(task, ordinal);
      }
    }
  }

  private static void bind(
      PreparedStatement statement, List<StepHead> heads, List<List<StepBatch>> members)
      throws SQLException {
    var runs = heads.stream().map(StepHead::run).toArray(String[]::new);
    statement.setObject(1, runs);
    statement.setObject(2, heads.stream().mapToLong(StepHead::epoch).toArray());
    statement.setObject(3, heads.stream().mapToInt(StepHead::behind).toArray());
    statement.setInt(4, heads.size());
    statement.setObject(5, runs);
    var rows = new StepRows();
    for (int place = 1; place <= members.size(); place++) {
      for (var member : members.get(place - 1)) {
        rows.add(place, member);
      }
    }
    rows.bind(statement, 6);
  }

  /// The arrays of the steps of a statement.
  private static final class StepRows {
    private final List<Integer> places = new ArrayList<>();
    private final List<Integer> supersteps = new ArrayList<>();
    private final List<String> tasks = new ArrayList<>();
    private final List<Integer> ordinals = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final List<String> kinds = new ArrayList<>();
    private final List<String> attempts = new ArrayList<>();
    private final List<byte[]> contents = new ArrayList<>();

    void add(int place, StepBatch member) {
      for (int i = 0; i < member.records().size(); i++) {
        var step = member.records().get(i);
        places.add(place);
        supersteps.add(member.write().superstep());
        tasks.add(member.write().task());
        ordinals.add(step.ordinal());
        names.add(step.name());
        kinds.add(TaskSteps.text(step.kind()));
        attempts.add(member.write().attempt().toString());
        contents.add(member.content(i));
      }
    }

    void bind(PreparedStatement statement, int first) throws SQLException {
      int column = first;
      for (var values :
          new Object[] {
            places.toArray(Integer[]::new),
            supersteps.toArray(Integer[]::new),
            tasks.toArray(String[]::new),
            ordinals.toArray(Integer[]::new),
            names.toArray(String[]::new),
            kinds.toArray(String[]::new),
            attempts.toArray(String[]::new),
            contents.toArray(byte[][]::new)
          }) {
        statement.setObject(column++, values);
      }
      statement.setInt(column, places.size());
    }
  }
}
