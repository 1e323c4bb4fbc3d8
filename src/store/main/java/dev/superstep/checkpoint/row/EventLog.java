package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.EventCodec;
import dev.superstep.database.PoolEntities;
import dev.superstep.engine.run.Event;
import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.hibernate.Session;
import org.springframework.data.domain.Limit;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/// The stored events of runs, gap-free per run: those in checkpoints and those in `run_event`.
@Component
public class EventLog {
  private static final String COMMON =
      """
      with parted as (
        select case when count(*) = count(valid_through) then min(valid_through)
                    else '-infinity' end as at
          from database_era where era > :era
      )
      select coalesce(
               least(
                 (select min(seq) - 1 from run_event, parted
                   where run = :run and run_event.at > parted.at),
                 (select min(first_event) - 1 from checkpoint, parted
                   where run = :run and committed_at > parted.at)),
               (select event_seq from run where id = :run),
               0)
      """;

  private final EntityManager entities;
  private final JdbcClient jdbc;
  private final CheckpointRows checkpoints;
  private final RunEventRows own;
  private final ReadWeights weights;

  /// @param horizon seq up to which `events` is complete
  private record Chunk(List<StoredEvent> events, long horizon) {}

  EventLog(
      EntityManager entities,
      JdbcClient jdbc,
      CheckpointRows checkpoints,
      RunEventRows own,
      ReadWeights weights) {
    this.weights = weights;
    this.entities = entities;
    this.jdbc = jdbc;
    this.checkpoints = checkpoints;
    this.own = own;
  }

  /// Appends events of an API call or a claim, in the current transaction; the run is locked until
  /// it ends. An entity of the run in the persistence context does not see its new `event_seq`.
  @Transactional(propagation = Propagation.MANDATORY)
  public void append(String run, List<Event> events) {
    if (events.isEmpty()) {
      return;
    }
    PoolEntities.translated(() -> {
      var head =
          WrittenHead.addEvents(entities.unwrap(Session.class), run, events.size())
              .orElseThrow(() -> new IllegalStateException("there is no run '%s'".formatted(run)));
      RunEventEntity.of(run, events, head.lastEvent(), head.at()).forEach(entities::persist);
      entities.flush();
      return head;
    });
  }

  /// Events with a seq above `after`, ascending.
  ///
  /// @param types empty: any
  public List<StoredEvent> read(String run, long after, Set<String> types, int limit) {
    long last = last(run);
    var found = new ArrayList<StoredEvent>();
    var from = after;
    while (from < last && found.size() < limit) {
      var chunk = chunk(run, from, last, limit);
      chunk.events().stream()
          .filter(it -> types.isEmpty() || types.contains(it.event().type()))
          .forEach(found::add);
      from = chunk.horizon();
    }
    return List.copyOf(found.subList(0, Math.min(limit, found.size())));
  }

  /// The seq of the run's last event; 0: it has none. Read first: what is numbered up to here is
  /// committed, so that no later query can miss one of two neighbours.
  public long last(String run) {
    return jdbc.sql("select event_seq from run where id = ?")
        .param(run)
        .query(Long.class)
        .optional()
        .orElse(0L);
  }

  /// The number of the history in which the database is.
  public int era() {
    return jdbc.sql("select max(era) from database_era").query(Integer.class).single();
  }

  /// The seq up to which a run's events of an earlier history are those of this one: what was
  /// committed before the histories parted. 0 if that is not known.
  public long validThrough(String run, int era) {
    return jdbc.sql(COMMON).param("run", run).param("era", era).query(Long.class).single();
  }

  private Chunk chunk(String run, long after, long until, int limit) {
    var events = new ArrayList<StoredEvent>();
    long horizon = until;
    int part = weights.holdEvents(run, after, until, limit);
    var committed = checkpoints.events(run, after, until, Limit.of(part));
    for (var row : committed) {
      long seq = row.first();
      for (var event : EventCodec.read(row.events())) {
        events.add(new StoredEvent(seq++, row.at(), event));
      }
    }
    if (committed.size() == part) {
      horizon = Math.min(horizon, committed.getLast().last());
    }
    var single = own.list(run, after, until, Limit.of(limit));
    single.forEach(it -> events.add(new StoredEvent(it.seq(), it.at(), it.event())));
    if (single.size() == limit) {
      horizon = Math.min(horizon, events.getLast().seq());
    }
    long complete = horizon;
    events.removeIf(it -> it.seq() <= after || it.seq() > complete);
    events.sort(Comparator.comparingLong(StoredEvent::seq));
    return new Chunk(events, complete);
  }
}
