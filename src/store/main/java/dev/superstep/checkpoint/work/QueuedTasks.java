package dev.superstep.checkpoint.work;

import dev.superstep.checkpoint.StoredObject;
import dev.superstep.checkpoint.WorkerEndCodec;
import dev.superstep.checkpoint.work.TakenSlice.SliceWork;
import dev.superstep.checkpoint.work.WorkArrivals.WorkType;
import dev.superstep.database.EntityColumns;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.CallbackRef;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.checkpoint.WorkerRef;
import dev.superstep.engine.checkpoint.WorkerStart;
import dev.superstep.engine.node.CheckpointStore.EndedWorker;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.WorkerTask;
import dev.superstep.engine.run.WorkerTask.Timeouts;
import dev.superstep.graph.NodeId;
import dev.superstep.tenant.Tenant;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// The rows of tasks for the drivers of their runs: queueing them, and reading how they ended.
@Component
public class QueuedTasks {
  private static final String GIVEN =
      """
       from run, unnest(:ids::text[], :supersteps::integer[], :nodes::text[], :dispatches::text[],
                        :numbers::integer[], :wakes_below::integer[], :types::text[],
                        :attempts::integer[], :keys::text[], :payloads::bytea[],
                        :starts::bigint[], :ends::bigint[], :heartbeats::bigint[])
              as given (id, superstep, node, dispatch_id, number, wakes_below, type, attempt,
                        idempotency_key, payload, start_ms, end_ms, heartbeat_ms)
      where run.id = :run and run.cancel_requested_at is null
         on conflict (id) do nothing
      returning id
      """;

  /// What a retry, an answer or an edit of the state has replaced.
  private static final String REPLACE =
      """
      update task set state = 'withdrawn', ended_at = clock_timestamp()
        from unnest(:supersteps::integer[], :nodes::text[], :dispatches::text[],
                    :numbers::integer[]) as given (superstep, node, dispatch_id, number)
       where task.run = :run and task.superstep = given.superstep and task.node = given.node
         and task.dispatch_id is not distinct from given.dispatch_id
         and task.number < given.number and task.state in ('queued', 'claimed', 'resting', 'sleeping')
      """;

  /// What nobody needs any more, although its superstep is open.
  private static final String CALL_OFF =
      """
      update task set state = 'withdrawn', ended_at = clock_timestamp()
        from unnest(:supersteps::integer[], :nodes::text[], :dispatches::text[])
              as given (superstep, node, dispatch_id)
       where task.run = :run and task.superstep = given.superstep and task.node = given.node
         and task.dispatch_id is not distinct from given.dispatch_id
         and task.state in ('queued', 'claimed', 'resting', 'sleeping', 'awaited')
      """;

  private static final String ENDS =
      """
      select id, outcome
        from (select id, outcome, answer,
                     sum(octet_length(outcome)) over (order by answer) - octet_length(outcome)
                       as before
                from task
               where id = any(:waiting) and run = :run and answer is not null) as ended
       where before < :bytes
       order by answer
      """;

  /// Outcomes that are read at once have about so many bytes.
  private static final long PAGE_BYTES = 4_000_000;

  private final JdbcClient jdbc;
  private final WorkArrivals arrivals;
  private final String insert;

  public QueuedTasks(
      @Qualifier(Pools.ENGINE) JdbcClient jdbc,
      EntityManagerFactory factory,
      WorkArrivals arrivals) {
    this.jdbc = jdbc;
    this.arrivals = arrivals;
    this.insert = EntityColumns.of(factory, WorkerTaskEntity.class).insertSelect(values()) + GIVEN;
  }

  private static Map<String, String> values() {
    var values = new HashMap<String, String>();
    Stream.of("id", "superstep", "node", "dispatch_id", "number", "wakes_below", "type", "attempt")
        .forEach(it -> values.put(it, "given." + it));
    Stream.of("idempotency_key", "payload", "start_ms", "end_ms", "heartbeat_ms")
        .forEach(it -> values.put(it, "given." + it));
    Stream.of("token", "worker", "claimed_at", "lease_until", "end_until", "progress", "outcome")
        .forEach(it -> values.put(it, "null"));
    values.put("answer", "null");
    values.put("ended_at", "null");
    values.put("run", "run.id");
    values.put("graph", "run.graph");
    values.put("state", "'queued'");
    values.put("claims", "0");
    values.put("heard", "false");
    values.put("lost", "0");
    values.put("queued_at", "clock_timestamp()");
    values.put("start_until", "clock_timestamp() + given.start_ms * interval '1 millisecond'");
    return values;
  }

  private record QueuedTask(String id, TaskKey key, WorkerStart start) {}

  private static List<QueuedTask> queued(List<TaskRecord> records) {
    var queued = new ArrayList<QueuedTask>();
    for (var record : records) {
      if (record.status() instanceof TaskStatus.AtWorker(var id, var start) && start.isPresent()) {
        queued.add(new QueuedTask(id, record.key(), start.get()));
      }
    }
    return queued;
  }

  /// Joins the current transaction, which has written the row of the run under its fence. Tasks
  /// that are there are left as they are; none is queued if the run is to be cancelled.
  public void queue(Lease lease, List<TaskRecord> records) {
    var tasks = queued(records);
    if (tasks.isEmpty()) {
      return;
    }
    if (tasks.stream().anyMatch(it -> it.start().number() > 1)) {
      int _ = place(jdbc.sql(REPLACE), lease, tasks).update();
    }
    var inserted = insert(lease, tasks);
    arrivals.arriveAfterCommit(
        types(lease, tasks.stream().filter(it -> inserted.contains(it.id())).toList()));
  }

  /// Queues slices for the replicas. Joins the current transaction, which has locked the run under
  /// its fence.
  ///
  /// @param lease for how long a replica may be silent
  public void queueSlices(WideSuperstep wide, List<SliceWork> slices, Duration lease) {
    var timeouts = new Timeouts(Optional.empty(), Optional.empty(), lease);
    var key = new TaskKey(wide.superstep(), NodeId.START, null);
    var epoch = Long.toString(wide.lease().epoch());
    var tasks = new ArrayList<QueuedTask>();
    for (var slice : slices) {
      var task = new WorkerTask(SliceQueue.TYPE.type(), slice.payload(), epoch, 1, timeouts);
      tasks.add(
          new QueuedTask(
              wide.slice(tasks.size()), key, new WorkerStart(task, 1, slice.lanes().orElse(0))));
    }
    var _ = insert(wide.lease(), tasks);
  }

  private Set<String> insert(Lease lease, List<QueuedTask> tasks) {
    return place(jdbc.sql(insert), lease, tasks)
        .param("ids", texts(tasks, QueuedTask::id))
        .param("wakes_below", numbers(tasks, it -> it.start().wakesBelow()))
        .param("types", texts(tasks, it -> it.start().task().type()))
        .param("attempts", numbers(tasks, it -> it.start().task().attempt()))
        .param("keys", texts(tasks, it -> it.start().task().idempotencyKey()))
        .param("payloads", payloads(tasks))
        .param("starts", times(tasks, it -> it.start().task().timeouts().start()))
        .param("ends", times(tasks, it -> it.start().task().timeouts().end()))
        .param(
            "heartbeats", times(tasks, it -> Optional.of(it.start().task().timeouts().heartbeat())))
        .query((row, _) -> row.getString("id"))
        .set();
  }

  /// Whether a task of this type may end soon.
  public boolean isAwaited(Lease lease, String type) {
    return arrivals.endsSoon(new WorkType(Tenant.of(lease.run()).name(), type));
  }

  private static Map<String, WorkType> types(Lease lease, List<QueuedTask> tasks) {
    var tenant = Tenant.of(lease.run()).name();
    return tasks.stream()
        .collect(
            Collectors.toMap(QueuedTask::id, it -> new WorkType(tenant, it.start().task().type())));
  }

  private static JdbcClient.StatementSpec place(
      JdbcClient.StatementSpec statement, Lease lease, List<QueuedTask> tasks) {
    return statement
        .param("run", lease.run())
        .param("supersteps", numbers(tasks, it -> it.key().superstep()))
        .param("nodes", texts(tasks, it -> it.key().node().value()))
        .param("dispatches", tasks.stream().map(it -> it.key().dispatchId()).toArray(String[]::new))
        .param("numbers", numbers(tasks, it -> it.start().number()));
  }

  private static String[] texts(List<QueuedTask> tasks, Function<QueuedTask, String> of) {
    return tasks.stream().map(of).toArray(String[]::new);
  }

  private static Integer[] numbers(List<QueuedTask> tasks, Function<QueuedTask, Integer> of) {
    return tasks.stream().map(of).toArray(Integer[]::new);
  }

  private static Long[] times(List<QueuedTask> tasks, Function<QueuedTask, Optional<Duration>> of) {
    return tasks.stream()
        .map(it -> of.apply(it).map(Duration::toMillis).orElse(null))
        .toArray(Long[]::new);
  }

  private static byte[][] payloads(List<QueuedTask> tasks) {
    return tasks.stream()
        .map(it -> StoredObject.bytes(it.start().task().payload()))
        .toArray(byte[][]::new);
  }

  /// Withdraws the tasks of these records, whose workers hear of it with their next heartbeat.
  /// Joins the current transaction, as [#queue] does.
  public void withdraw(Lease lease, List<TaskRecord> records) {
    var keys =
        records.stream()
            .filter(
                it -> WorkerRef.numberIn(it.parts()) > 0 || CallbackRef.numberIn(it.parts()) > 0)
            .map(TaskRecord::key)
            .toList();
    if (!keys.isEmpty()) {
      int _ =
          jdbc.sql(CALL_OFF)
              .param("run", lease.run())
              .param("supersteps", keys.stream().map(TaskKey::superstep).toArray(Integer[]::new))
              .param("nodes", keys.stream().map(it -> it.node().value()).toArray(String[]::new))
              .param("dispatches", keys.stream().map(TaskKey::dispatchId).toArray(String[]::new))
              .update();
    }
  }

  /// How some of the tasks ended, in the order in which that was counted: as many as fit into a
  /// page, at least one if there is one.
  public List<EndedWorker> ends(Lease lease, Set<String> waiting) {
    return jdbc.sql(ENDS)
        .param("run", lease.run())
        .param("waiting", waiting.toArray(String[]::new))
        .param("bytes", PAGE_BYTES)
        .query((row, _) ->
            new EndedWorker(row.getString("id"), WorkerEndCodec.read(row.getBytes("outcome"))))
        .list();
  }
}
