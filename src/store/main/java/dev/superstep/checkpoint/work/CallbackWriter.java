package dev.superstep.checkpoint.work;

import dev.superstep.checkpoint.Retries;
import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.StoredObject;
import dev.superstep.checkpoint.Undisturbed;
import dev.superstep.database.EntityColumns;
import dev.superstep.database.Pools;
import dev.superstep.engine.node.CheckpointStore.CallbackWrite;
import dev.superstep.engine.run.CallbackRequest;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.OpenCallback;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// The rows of callbacks for the drivers of their runs (E51). Such a row is a task that nobody
/// claims: it is `awaited` until the outside has answered, and what became of it is read like the
/// outcome of a worker.
@Component
public class CallbackWriter {
  private static final String FENCE =
      """
      select id from run
       where id = :run and lease_epoch = :epoch and status not in ('succeeded', 'failed', 'cancelled')
         for share
      """;

  private static final String OPENED = "select state, end_until from task where id = :id";

  private static final String GIVEN =
      """
       from run where run.id = :run
         on conflict (id) do nothing
      returning end_until
      """;

  private static final String WITHDRAW =
      """
      update task set state = 'withdrawn', ended_at = clock_timestamp()
       where id = :id and run = :run and state = 'awaited'
      """;

  private final ObjectProvider<KeptEvents> keptEvents;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final Retries retries;
  private final String insert;

  CallbackWriter(
      @Qualifier(Pools.ENGINE) JdbcClient jdbc,
      @Qualifier(Pools.ENGINE) PlatformTransactionManager transactions,
      EntityManagerFactory factory,
      StoreSettings settings,
      ObjectProvider<KeptEvents> keptEvents) {
    this.keptEvents = keptEvents;
    this.jdbc = jdbc;
    this.transaction = new TransactionTemplate(transactions);
    this.retries = new Retries(settings.patience());
    this.insert = EntityColumns.of(factory, WorkerTaskEntity.class).insertSelect(values()) + GIVEN;
  }

  private static Map<String, String> values() {
    var values = new HashMap<String, String>();
    Stream.of("id", "superstep", "node", "number", "type", "payload")
        .forEach(it -> values.put(it, ":" + it));
    Stream.of("worker", "claimed_at", "lease_until", "progress", "outcome", "answer", "ended_at")
        .forEach(it -> values.put(it, "null"));
    Stream.of("wakes_below", "claims", "lost").forEach(it -> values.put(it, "0"));
    values.put("dispatch_id", ":dispatch");
    values.put("idempotency_key", "''");
    values.put("attempt", "1");
    values.put("start_ms", "null");
    values.put("end_ms", ":end_ms");
    values.put("heartbeat_ms", ":heartbeat_ms");
    values.put("token", ":token");
    values.put("heard", "false");
    values.put("run", "run.id");
    values.put("graph", "run.graph");
    values.put("state", "'awaited'");
    values.put("queued_at", "statement_timestamp()");
    values.put("end_until", "statement_timestamp() + :end_ms * interval '1 millisecond'");
    values.put(
        "start_until",
        """
        statement_timestamp()
          + case when :heartbeat_ms > 0 then least(:end_ms, :heartbeat_ms) else :end_ms end
            * interval '1 millisecond'\
        """);
    return values;
  }

  private record OpenedRow(boolean withdrawn, Instant deadline) {}

  /// What [dev.superstep.engine.node.CheckpointStore#openCallback] does. To do it twice is
  /// harmless.
  public OpenCallback open(Lease lease, CallbackWrite callback) {
    return Undisturbed.call(
        "callbacks",
        () ->
            retries.run(
                () -> "callback of run '%s'".formatted(lease.run()),
                () -> openWithEvents(lease, callback)));
  }

  /// What has come before is looked for once the row can be found by what comes.
  private OpenCallback openWithEvents(Lease lease, CallbackWrite callback) {
    var opened = Objects.requireNonNull(transaction.execute(_ -> openUnder(lease, callback)));
    if (!callback.request().type().equals(CallbackRequest.BY_TOKEN)) {
      keptEvents.getObject().deliverTo(opened.id());
    }
    return opened;
  }

  private OpenCallback openUnder(Lease lease, CallbackWrite callback) {
    requireLease(lease);
    for (int number = callback.used() + 1; ; number++) {
      var deadline = insert(lease, callback, number);
      if (deadline.isPresent()) {
        return callback(callback, number, deadline.get());
      }
      var known = find(callback.birthId().callback(callback.task(), number));
      if (!known.withdrawn()) {
        return callback(callback, number, known.deadline());
      }
    }
  }

  /// Claims come before or behind.
  private void requireLease(Lease lease) {
    var owned =
        jdbc.sql(FENCE)
            .param("run", lease.run())
            .param("epoch", lease.epoch())
            .query(String.class)
            .optional();
    if (owned.isEmpty()) {
      throw new LeaseLostException(lease);
    }
  }

  private OpenedRow find(String id) {
    return jdbc.sql(OPENED)
        .param("id", id)
        .query((row, _) ->
            new OpenedRow(
                row.getString("state").equals("withdrawn"),
                row.getObject("end_until", OffsetDateTime.class).toInstant()))
        .single();
  }

  /// @return its deadline; empty if it is there
  private Optional<Instant> insert(Lease lease, CallbackWrite callback, int number) {
    var request = callback.request();
    var birthId = callback.birthId();
    var task = callback.task();
    return jdbc.sql(insert)
        .param("run", lease.run())
        .param("superstep", task.superstep())
        .param("node", task.node().value())
        .param("dispatch", task.dispatchId(), Types.VARCHAR)
        .param("id", birthId.callback(task, number))
        .param("number", number)
        .param("type", request.type())
        .param("payload", StoredObject.bytes(request.payload()))
        .param("end_ms", request.deadline().toMillis())
        .param("heartbeat_ms", request.heartbeat().map(Duration::toMillis).orElse(0L))
        .param("token", CallbackToken.digest(birthId.callbackSecret(task, number, callback.era())))
        .query((row, _) -> row.getObject("end_until", OffsetDateTime.class).toInstant())
        .optional();
  }

  private static OpenCallback callback(CallbackWrite callback, int number, Instant deadline) {
    return OpenCallback.of(callback.birthId(), callback.task(), number, callback.era())
        .at(callback.request().address(), deadline);
  }

  /// Has answers to a callback refused, unless one has come.
  ///
  /// @return false if one has
  public boolean withdraw(Lease lease, String id) {
    return retries.run(
        () -> "callback of run '%s'".formatted(lease.run()),
        () ->
            Objects.requireNonNull(
                transaction.execute(_ -> {
                  requireLease(lease);
                  return jdbc.sql(WITHDRAW).param("id", id).param("run", lease.run()).update() == 1
                      || find(id).withdrawn();
                })));
  }
}
