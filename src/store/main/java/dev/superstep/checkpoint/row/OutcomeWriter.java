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
public class OutcomeWriter {
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
    return entities.run(session -> {
      int found =
          session
              .createMutationQuery(
                  """
                  update RunEntity r
                     set r.eventSeq = r.eventSeq + :events,
                         r.driverWrites = r.driverWrites + 1,
                         r.takeovers = 0
                   where r.id = :run and r.leaseEpoch = :epoch
                     and (:behind < 0
                          or exists (select 1 from CheckpointEntity c
                                      where c.key.run = r.id and c.key.number = r.checkpoint
                                        and c.superstep = :behind))
                  """)
              .setParameter("events", (long) events.size())
              .setParameter("run", lease.run())
              .setParameter("epoch", lease.epoch())
              .setParameter("behind", OutcomeBatch.behind(records))
              .executeUpdate();
      if (found == 0) {
        return Optional.empty();
      }
      var head = WrittenHead.read(session, lease.run());
      OutcomeColumns.bind(jdbc.sql(insert), records)
          .param("run", lease.run())
          .param("epoch", lease.epoch())
          .param("at", head.at().atOffset(ZoneOffset.UTC))
          .update();
      session.insertMultiple(RunEventEntity.of(lease.run(), events, head.lastEvent(), head.at()));
      return Optional.of(head);
    });
  }
}
