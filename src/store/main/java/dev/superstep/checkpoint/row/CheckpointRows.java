package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.CheckpointInfo;
import dev.superstep.checkpoint.EventCodec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/// Reads checkpoints as projections: a query selects the columns that its reader needs, for
/// contents and snapshots are large.
public interface CheckpointRows
    extends Repository<CheckpointEntity, CheckpointEntity.CheckpointKey> {
  String LINK =
      """
      select new dev.superstep.checkpoint.row.CheckpointRow(
             c.key.number, c.kind, c.superstep, c.committedAt, c.stateHash, c.content, c.snapshot)
        from CheckpointEntity c
      """;
  String BARE_LINK =
      """
      select new dev.superstep.checkpoint.row.CheckpointRow(
             c.key.number, c.kind, c.superstep, c.committedAt, c.stateHash, c.content, null)
        from CheckpointEntity c
      """;

  /// The rows from the nearest snapshot up to `number`, ascending.
  @Query(
      LINK
          + """
          where c.key.run = :run and c.key.number <= :number
            and c.key.number >=
                (select b.base from CheckpointEntity b
                  where b.key.run = :run and b.key.number = :number)
          order by c.key.number
          """)
  List<CheckpointRow> chain(String run, int number);

  @Query(BARE_LINK + "where c.key.run = :run and c.key.number = :number")
  Optional<CheckpointRow> row(String run, int number);

  /// The rows that committed a superstep below `superstep`, newest first.
  @Query(
      BARE_LINK
          + """
          where c.key.run = :run and c.kind in ('step', 'final') and c.superstep < :superstep
          order by c.key.number desc
          """)
  List<CheckpointRow> committed(String run, int superstep, Limit limit);

  /// The rows that hold superstep `superstep` + 1, oldest first.
  @Query(
      BARE_LINK
          + """
          where c.key.run = :run and c.kind = 'held' and c.superstep = :superstep
          order by c.key.number
          """)
  List<CheckpointRow> holding(String run, int superstep);

  /// These rows with their events.
  @Query(
      """
      select new dev.superstep.checkpoint.row.CheckpointRows$HeldRow(
             c.key.number, c.committedAt, c.stateHash, c.content, c.firstEvent, c.events)
        from CheckpointEntity c
       where c.key.run = :run and c.kind = 'held' and c.superstep = :superstep
       order by c.key.number
      """)
  List<HeldRow> heldWithEvents(String run, int superstep);

  /// The newest row below `number` that stores what is pending.
  @Query(
      BARE_LINK
          + """
          where c.key.run = :run and c.key.number < :number and c.kind <> 'held'
          order by c.key.number desc
          """)
  List<CheckpointRow> planned(String run, int number, Limit limit);

  @Query(
      """
      select new dev.superstep.checkpoint.row.CheckpointRows$ListedRow(
             c.key.number, c.kind, c.superstep, c.committedAt, c.stateHash)
        from CheckpointEntity c
       where c.key.run = :run and c.key.number < :before
         and (:superstep is null or c.superstep = :superstep)
       order by c.key.number desc
      """)
  List<ListedRow> list(String run, int before, @Nullable Integer superstep, Limit limit);

  @Query(
      """
      select new dev.superstep.checkpoint.row.CheckpointRows$Events(
             c.firstEvent, c.lastEvent, c.committedAt, c.events)
        from CheckpointEntity c
       where c.key.run = :run and c.lastEvent > :after and c.firstEvent <= :until
       order by c.key.number
      """)
  List<Events> events(String run, long after, long until, Limit limit);

  /// However many they are: a list of them would be as many parameters, which a statement takes 65
  /// 535 of.
  @Modifying
  @Query(value = "delete from checkpoint where run = any(:runs)", nativeQuery = true)
  void delete(String[] runs);

  record ListedRow(int number, String kind, int superstep, Instant committedAt, byte[] stateHash) {
    CheckpointInfo info() {
      var checkpointRow =
          new CheckpointRow(number, kind, superstep, committedAt, stateHash, stateHash, null);
      return new CheckpointInfo(checkpointRow.stamp(), checkpointRow.hash());
    }
  }

  /// @param first the seq of the first of `events`
  record HeldRow(
      int number, Instant at, byte[] stateHash, byte[] content, long first, byte[] events) {
    HeldCheckpoint read(int superstep) {
      var row = new CheckpointRow(number, "held", superstep, at, stateHash, content, null);
      return new HeldCheckpoint(row.stored(), first, EventCodec.read(events));
    }
  }

  record Events(long first, long last, Instant at, byte[] events) {}
}
