package dev.superstep.checkpoint.row;

import dev.superstep.database.PoolEntities;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Records outcomes of tasks whose siblings are still open, fenced, in the current transaction
/// (E10.3).
@Component
class OutcomeWriter {
  private static final String FENCE =
      """
      update run
         set event_seq = event_seq + :events,
             driver_writes = driver_writes + 1,
             takeovers = 0
       where id = :run and lease_epoch = :epoch
         and (:behind < 0
              or :behind = (select checkpoint.superstep from checkpoint
                             where checkpoint.run = run.id
                               and checkpoint.number = run.checkpoint))
      """
          + WrittenHead.RETURNING;

  private final PoolEntities entities;
  private final JdbcClient jdbc;
  private final String insert;

  public OutcomeWriter(
      @Qualifier(Pools.ENGINE) PoolEntities entities,
      @Qualifier(Pools.ENGINE) JdbcClient jdbc,
      OutcomeColumns columns) {
    this.entities = entities;
    this.jdbc = jdbc;
    this.insert =
        columns.insert(
            new OutcomeColumns.Shared(":run", ":epoch", ":at"),
            OutcomeColumns.BOUND,
            OutcomeColumns.NEWEST_WINS);
  }

  /// @return empty if the lease is lost
  public Optional<WrittenHead> write(Lease lease, List<TaskRecord> records, List<Event> events) {
    var written =
        jdbc.sql(FENCE)
            .param("events", events.size())
            .param("run", lease.run())
            .param("epoch", lease.epoch())
            .param("behind", OutcomeBatch.behind(records))
            .query(WrittenHead::of)
            .optional();
    written.ifPresent(head -> {
      OutcomeColumns.bind(jdbc.sql(insert), records)
          .param("run", lease.run())
          .param("epoch", lease.epoch())
          .param("at", head.at().atOffset(ZoneOffset.UTC))
          .update();
      entities.insert(RunEventEntity.of(lease.run(), events, head.lastEvent(), head.at()));
    });
    return written;
  }
}
