package dev.superstep.checkpoint.interrupt;

import dev.superstep.checkpoint.codec.StoredObject;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.Interrupt;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Opens and closes interrupts as part of a driver's write.
@Component
public class InterruptWrites {
  private static final String OPEN =
      """
      insert into interrupt
             (id, run, graph, superstep, node, dispatch_id, reason, payload, schema, status,
              created_at, expires_at, on_expiry, default_answer)
      select asked.id, run.id, run.graph, asked.superstep, asked.node, asked.dispatch_id,
             asked.reason, asked.payload, asked.schema, 'open', asked.created_at,
             asked.expires_at, asked.on_expiry, asked.default_answer
        from run,
             unnest(:ids::text[], :supersteps::integer[], :nodes::text[],
                    :dispatches::text[], :reasons::text[], :payloads::bytea[],
                    :schemas::bytea[], :created::timestamptz[], :expires::timestamptz[],
                    :expiries::text[], :defaults::bytea[])
             as asked (id, superstep, node, dispatch_id, reason, payload, schema, created_at,
                       expires_at, on_expiry, default_answer)
       where run.id = :run
      on conflict (id) do nothing
      """;

  private final JdbcClient jdbc;

  private record Asked(TaskRecord record, Interrupt interrupt) {}

  public InterruptWrites(@Qualifier(Pools.ENGINE) JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Opens new interrupts, and closes open ones whose task does not wait for them any more: they
  /// have expired, or the run is cancelled.
  public void write(String run, Commit commit) {
    commit.checkpoint().ifPresent(it -> open(run, it.delta().tasks()));
    if (commit.head().status() == RunStatus.CANCELLED) {
      close(run, "cancelled", List.of());
    } else {
      commit.checkpoint().ifPresent(it -> close(run, "expired", asked(it.after().held().values())));
    }
  }

  public void open(String run, Collection<TaskRecord> records) {
    var asked = asked(records);
    if (asked.isEmpty()) {
      return;
    }
    jdbc.sql(OPEN)
        .param("run", run)
        .param("ids", texts(asked, it -> it.interrupt().id()))
        .param(
            "supersteps",
            asked.stream().map(it -> it.record().key().superstep()).toArray(Integer[]::new))
        .param("nodes", texts(asked, it -> it.record().key().node().value()))
        .param("dispatches", texts(asked, it -> it.record().key().dispatchId()))
        .param("reasons", texts(asked, it -> it.interrupt().reason()))
        .param("payloads", bytes(asked, it -> Optional.of(it.payload())))
        .param("schemas", bytes(asked, Interrupt::schema))
        .param("created", texts(asked, it -> it.interrupt().createdAt().toString()))
        .param("expires", texts(asked, it -> time(it.interrupt().expiresAt())))
        .param("expiries", texts(asked, it -> onExpiry(it.interrupt())))
        .param("defaults", bytes(asked, Interrupt::defaultAnswer))
        .update();
  }

  private void close(String run, String how, List<Asked> stillOpen) {
    jdbc.sql(
            """
            update interrupt
               set status = :how, closed_at = clock_timestamp()
             where run = :run and status = 'open' and id <> all(:open::text[])
            """)
        .param("how", how)
        .param("run", run)
        .param("open", texts(stillOpen, it -> it.interrupt().id()))
        .update();
  }

  /// Closes interrupts that are still open, in a transaction of its own. It waits for an API call
  /// that answers one at the same time; that answer counts.
  public void expire(Lease lease, List<String> ids) {
    jdbc.sql(
            """
            with fenced as materialized (
              select id from run where id = :run and lease_epoch = :epoch for no key update
            )
            update interrupt
               set status = 'expired', closed_at = clock_timestamp()
              from fenced
             where interrupt.run = fenced.id and interrupt.id = any(:ids)
               and interrupt.status = 'open'
            """)
        .param("run", lease.run())
        .param("epoch", lease.epoch())
        .param("ids", ids.toArray(String[]::new))
        .update();
  }

  private static List<Asked> asked(Collection<TaskRecord> records) {
    var asked = new ArrayList<Asked>();
    for (var record : records) {
      if (record.ending() instanceof TaskStatus.Interrupted(var interrupt)) {
        asked.add(new Asked(record, interrupt));
      }
    }
    return asked;
  }

  private static @Nullable String onExpiry(Interrupt interrupt) {
    if (interrupt.expiresAt().isEmpty()) {
      return null;
    }
    return interrupt.defaultAnswer().isPresent() ? "answer" : "fail";
  }

  private static @Nullable String time(Optional<Instant> time) {
    return time.map(Instant::toString).orElse(null);
  }

  private static @Nullable String[] texts(
      List<Asked> asked, Function<Asked, @Nullable String> column) {
    return asked.stream().map(column).toArray(String[]::new);
  }

  private static byte @Nullable [][] bytes(
      List<Asked> asked, Function<Interrupt, Optional<Value>> column) {
    return asked.stream()
        .map(it -> column.apply(it.interrupt()).map(StoredObject::bytes).orElse(null))
        .toArray(byte[][]::new);
  }
}
