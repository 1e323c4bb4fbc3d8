package dev.superstep.checkpoint.event;

import dev.superstep.checkpoint.StoredObject;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// The rows of events, and those of tasks that wait for them. Each method is one statement, which
/// joins the current transaction.
@Component
public class IncomingEvents {
  private static final String INSERT =
      """
         insert into incoming_event (id, type, content, received_at, expires_at, delivered, starts_at)
         select :id, :type, :content, clock_timestamp(),
                least(coalesce(:expires, clock_timestamp() + :keep * interval '1 millisecond'),
                      clock_timestamp() + :keep_max * interval '1 millisecond'),
                false,
                case when exists (select from inbound_hook
                                   where tenant_of(graph) = :tenant and event = :type)
                      and coalesce(:expires > clock_timestamp(), true)
                     then clock_timestamp() end
             on conflict (id) do nothing
      returning starts_at is not null
      """;

  /// From a number of kept events on there is no room.
  private static final String ROOM =
      """
      select count(*) < :most from (
        select from incoming_event
         where tenant_of(id) = :tenant and expires_at > clock_timestamp() limit :most) as counted
      """;

  private static final String EVENT = "select id, type, content, received_at from incoming_event ";

  private static final String WAITING =
      "select id, run, superstep, node, dispatch_id, type, payload from task ";

  /// Of one task.
  private static final int MISSED_MAX = 1_000;

  private final JdbcClient jdbc;

  IncomingEvents(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param id as rows have it
  public record IncomingEvent(String id, String type, ObjectValue content, Instant receivedAt) {
    public Tenant tenant() {
      return Tenant.of(id);
    }
  }

  /// @param type of the task
  /// @param payload what an event must satisfy
  public record WaitingTask(
      String id, String run, TaskKey task, String type, ObjectValue payload) {}

  /// For how long an event is kept.
  ///
  /// @param until empty: as long as others
  public record EventTerm(Optional<Instant> until, Duration keep, Duration most) {}

  /// Whether the tenant may keep one more.
  public boolean hasRoom(Tenant tenant, int most) {
    return jdbc.sql(ROOM)
        .param("tenant", tenant.name())
        .param("most", most)
        .query(Boolean.class)
        .single();
  }

  /// @return whether it may start runs; empty: it is there
  public Optional<Boolean> insert(String id, String type, ObjectValue content, EventTerm term) {
    return jdbc.sql(INSERT)
        .param("id", id)
        .param("tenant", Tenant.of(id).name())
        .param("type", type)
        .param("content", StoredObject.bytes(content))
        .param(
            "expires",
            term.until().map(it -> it.atOffset(ZoneOffset.UTC)).orElse(null),
            java.sql.Types.TIMESTAMP_WITH_TIMEZONE)
        .param("keep", term.keep().toMillis())
        .param("keep_max", term.most().toMillis())
        .query(Boolean.class)
        .optional();
  }

  public Optional<IncomingEvent> find(String id) {
    return jdbc.sql(EVENT + "where id = :id")
        .param("id", id)
        .query((row, _) -> event(row))
        .optional();
  }

  /// Events of a type that are kept for those who begin to wait, oldest first, behind one.
  public List<IncomingEvent> kept(
      Tenant tenant, String type, Optional<IncomingEvent> behind, int limit) {
    return jdbc.sql(
            EVENT
                + """
                where tenant_of(id) = :tenant and type = :type and expires_at > clock_timestamp()
                  and (received_at, id) > (:received, :id)
                order by received_at, id limit :limit
                """)
        .param("tenant", tenant.name())
        .param("type", type)
        .param(
            "received",
            behind.map(IncomingEvent::receivedAt).orElse(Instant.EPOCH).atOffset(ZoneOffset.UTC))
        .param("id", behind.map(IncomingEvent::id).orElse(""))
        .param("limit", limit)
        .query((row, _) -> event(row))
        .list();
  }

  /// Ids of events that came a while ago, and of which is not known that all who waited were looked
  /// at: the oldest of each tenant, then the second ones, and so on.
  ///
  /// @param but are left out
  public List<String> undelivered(Duration age, Set<String> but, int limit) {
    return jdbc.sql(
            """
            select id
              from (select id, received_at,
                           row_number() over (partition by tenant_of(id) order by received_at) as turn
                      from incoming_event
                     where not delivered and id <> all(:but)
                       and received_at < clock_timestamp() - :age * interval '1 millisecond')
                   as waiting
             order by turn, received_at limit :limit
            """)
        .param("age", age.toMillis())
        .param("but", but.toArray(String[]::new))
        .param("limit", limit)
        .query((row, _) -> row.getString("id"))
        .list();
  }

  /// Events that came while a task waited, and of which is not known that it was looked at.
  public List<IncomingEvent> missed(WaitingTask task, String type) {
    return jdbc.sql(
            """
            select event.id, event.type, event.content, event.received_at
              from task join incoming_event as event
                on tenant_of(event.id) = tenant_of(task.id) and event.type = :type
               and event.received_at between task.queued_at and task.end_until
             where task.id = :task and not event.delivered
             order by event.received_at limit :limit
            """)
        .param("task", task.id())
        .param("type", type)
        .param("limit", MISSED_MAX)
        .query((row, _) -> event(row))
        .list();
  }

  /// An event that may start runs.
  ///
  /// @param expiresAt when it is worth nothing any more
  /// @param started names of those who need not be tried again
  public record StartingEvent(
      IncomingEvent event, Instant takenAt, Instant expiresAt, Set<String> started) {}

  /// Takes events for a while that are to start runs, so that others do not look at them. Tenants
  /// take turns.
  public List<StartingEvent> takeStarting(Duration term, int limit) {
    return jdbc.sql(
            """
            with due as materialized (
              select id from (
                select id, starts_at,
                       row_number() over (partition by tenant_of(id) order by starts_at, id) as turn
                  from incoming_event where starts_at <= clock_timestamp()) as turns
               order by turn, starts_at limit :limit),
            taken as materialized (
              select id from incoming_event
               where id in (select id from due) and starts_at <= clock_timestamp()
                 for update skip locked)
            update incoming_event
               set starts_at = clock_timestamp() + :term * interval '1 millisecond'
             where id in (select id from taken)
            returning id, type, content, received_at, expires_at, started,
                      clock_timestamp() as taken_at
            """)
        .param("term", term.toMillis())
        .param("limit", limit)
        .query((row, _) ->
            new StartingEvent(
                event(row),
                row.getObject("taken_at", OffsetDateTime.class).toInstant(),
                row.getObject("expires_at", OffsetDateTime.class).toInstant(),
                Set.of((String[]) row.getArray("started").getArray())))
        .list();
  }

  /// Notes in the current transaction that an event starts runs of one, who is not asked again.
  ///
  /// @return false if that is known, or the event is not there any more
  public boolean startedBy(String event, String name) {
    return jdbc.sql(
                """
                update incoming_event set started = started || :name::text
                 where id = :id and not :name = any(started)
                """)
            .param("id", event)
            .param("name", name)
            .update()
        == 1;
  }

  /// When to look again which runs an event starts; empty: never.
  public void startAgain(String event, Optional<Duration> pause) {
    int _ =
        jdbc.sql(
                """
                update incoming_event
                   set starts_at = clock_timestamp() + :pause * interval '1 millisecond'
                 where id = :id
                """)
            .param("id", event)
            .param("pause", pause.map(Duration::toMillis).orElse(null), java.sql.Types.BIGINT)
            .update();
  }

  private static IncomingEvent event(ResultSet row) throws SQLException {
    return new IncomingEvent(
        row.getString("id"),
        row.getString("type"),
        (ObjectValue) StoredObject.value(row.getBytes("content")),
        row.getObject("received_at", OffsetDateTime.class).toInstant());
  }

  /// Whoever waited when it came has been looked at.
  public void delivered(String id) {
    int _ =
        jdbc.sql("update incoming_event set delivered = true where id = :id")
            .param("id", id)
            .update();
  }

  /// Tasks that wait for events of a type, in the order of their ids.
  public List<WaitingTask> waiting(Tenant tenant, String taskType, String behind, int limit) {
    return jdbc.sql(
            WAITING
                + """
                where tenant_of(id) = :tenant and type = :type and state = 'awaited'
                  and type <> '@callback' and id > :behind
                order by id limit :limit
                """)
        .param("tenant", tenant.name())
        .param("type", taskType)
        .param("behind", behind)
        .param("limit", limit)
        .query((row, _) -> task(row))
        .list();
  }

  /// One of them, if it still waits.
  public Optional<WaitingTask> waiting(String id) {
    return jdbc.sql(WAITING + "where id = :id and state = 'awaited'")
        .param("id", id)
        .query((row, _) -> task(row))
        .optional();
  }

  private static WaitingTask task(ResultSet row) throws SQLException {
    return new WaitingTask(
        row.getString("id"),
        row.getString("run"),
        new TaskKey(
            row.getInt("superstep"),
            new NodeId(row.getString("node")),
            row.getString("dispatch_id")),
        row.getString("type"),
        (ObjectValue) StoredObject.value(row.getBytes("payload")));
  }

  /// Notes that a run takes an event.
  ///
  /// @return false if another task of it has taken it before, or there is no such event any more
  public boolean take(WaitingTask task, String event) {
    return jdbc.sql(
                """
                insert into taken_event (run, event, task)
                select :run, id, :task from incoming_event where id = :event
                    on conflict (run, event) do update set task = excluded.task
                 where taken_event.task = excluded.task
                """)
            .param("run", task.run())
            .param("task", task.task().toString())
            .param("event", event)
            .update()
        == 1;
  }

  /// Deletes up to `limit` events that no run can take any more and that came a while ago: until
  /// then one that is sent again is known.
  public int purge(Duration known, int limit) {
    return jdbc.sql(
            """
            delete from incoming_event where id in (
              select id from incoming_event
               where expires_at < clock_timestamp() and delivered and starts_at is null
                 and received_at < clock_timestamp() - :known * interval '1 millisecond'
               order by expires_at limit :limit)
            """)
        .param("known", known.toMillis())
        .param("limit", limit)
        .update();
  }
}
