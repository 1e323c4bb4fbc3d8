package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.StoredInterrupt.Assignment;
import dev.superstep.checkpoint.StoredObject;
import dev.superstep.database.EntityColumns;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.Interrupt;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.Addressees;
import dev.superstep.engine.run.MayAnswer;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.Value;
import jakarta.persistence.EntityManagerFactory;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/// The part of a statement that opens interrupts: `insert … on conflict`. One that was asked before
/// and closed since is open again, as it is asked now: a task that is repeated asks under the same
/// id. An answer that was accepted counts.
@Component
class InterruptColumns {
  private static final String RAISED =
      """
      unnest(:raised_ids::text[], :raised_supersteps::integer[], :raised_nodes::text[],
             :raised_dispatch_ids::text[], :raised_reasons::text[], :raised_payloads::bytea[],
             :raised_schemas::bytea[], :raised_created::timestamptz[],
             :raised_expires::timestamptz[], :raised_on_expiry::text[],
             :raised_default_answers::bytea[], :raised_may_answer::text[],
             :raised_addressees::bytea[], :raised_assignees::text[], :raised_candidates::text[])
        as raised (id, superstep, node, dispatch_id, reason, payload, schema, created_at,
                   expires_at, on_expiry, default_answer, may_answer, addressees, assignee,
                   candidates)\
      """;

  private final String open;

  InterruptColumns(EntityManagerFactory entities) {
    var values = new HashMap<String, String>();
    Stream.of(
            "id",
            "superstep",
            "node",
            "dispatch_id",
            "reason",
            "payload",
            "schema",
            "created_at",
            "expires_at",
            "on_expiry",
            "default_answer",
            "may_answer",
            "addressees",
            "assignee",
            "candidates")
        .forEach(it -> values.put(it, "raised." + it));
    Stream.of("answer", "answered_by", "closed_at").forEach(it -> values.put(it, "null"));
    values.put("run", "head.id");
    values.put("graph", "head.graph");
    values.put("status", "'open'");
    var columns = EntityColumns.of(entities, InterruptEntity.class);
    open =
        "%s%nfrom head, %s%n%s%nwhere interrupt.status not in ('open', 'answered')"
            .formatted(columns.insertSelect(values), RAISED, columns.onConflictUpdate());
  }

  /// Opens the interrupts that are bound by [#bind], with the `id` and `graph` of `head`.
  String open() {
    return open;
  }

  /// An interrupt that a task waits for.
  record RaisedInterrupt(TaskKey task, Interrupt interrupt) {
    String id() {
      return interrupt.id();
    }
  }

  static List<RaisedInterrupt> raised(Collection<TaskRecord> records) {
    var raised = new ArrayList<RaisedInterrupt>();
    for (var record : records) {
      if (record.status() instanceof TaskStatus.Interrupted(var interrupt)) {
        raised.add(new RaisedInterrupt(record.key(), interrupt));
      }
    }
    return raised;
  }

  /// Sets the parameters of [#open].
  static StatementSpec bind(StatementSpec statement, List<RaisedInterrupt> raised) {
    var tasks = raised.stream().map(RaisedInterrupt::task).toList();
    return statement
        .param("raised_ids", texts(raised, Interrupt::id))
        .param("raised_supersteps", tasks.stream().map(TaskKey::superstep).toArray(Integer[]::new))
        .param("raised_nodes", tasks.stream().map(it -> it.node().value()).toArray(String[]::new))
        .param(
            "raised_dispatch_ids", tasks.stream().map(TaskKey::dispatchId).toArray(String[]::new))
        .param("raised_reasons", texts(raised, Interrupt::reason))
        .param("raised_payloads", bytes(raised, it -> Optional.of(it.payload())))
        .param("raised_schemas", bytes(raised, Interrupt::schema))
        .param("raised_created", texts(raised, it -> it.createdAt().toString()))
        .param(
            "raised_expires",
            texts(raised, it -> it.expiresAt().map(Instant::toString).orElse(null)))
        .param("raised_on_expiry", texts(raised, StoredInterrupt::onExpiry))
        .param("raised_default_answers", bytes(raised, Interrupt::defaultAnswer))
        .param("raised_may_answer", texts(raised, InterruptColumns::mayAnswer))
        .param("raised_addressees", bytes(raised, InterruptColumns::addressees))
        .param("raised_assignees", texts(raised, it -> it.addressees().assignee().orElse(null)))
        .param("raised_candidates", texts(raised, it -> lines(it.addressees().candidates())));
  }

  private static Optional<Value> addressees(Interrupt interrupt) {
    return Optional.of(interrupt.addressees()).filter(it -> !it.isNone()).map(Addressees::value);
  }

  /// Whose the interrupt of a row is.
  static Assignment assignment(ResultSet row) throws SQLException {
    return new Assignment(
        Optional.ofNullable(row.getString("assignee")), lines(row.getString("candidates")));
  }

  /// As the column of candidates has them; null: none.
  static @Nullable String lines(List<String> texts) {
    return texts.isEmpty() ? null : String.join("\n", texts);
  }

  static List<String> lines(@Nullable String lines) {
    return lines == null ? List.of() : lines.lines().toList();
  }

  private static @Nullable String mayAnswer(Interrupt interrupt) {
    return interrupt.mayAnswer() == MayAnswer.ANYBODY ? null : interrupt.mayAnswer().text();
  }

  private static @Nullable String[] texts(
      List<RaisedInterrupt> raised, Function<Interrupt, @Nullable String> text) {
    return raised.stream().map(it -> text.apply(it.interrupt())).toArray(String[]::new);
  }

  private static byte @Nullable [][] bytes(
      List<RaisedInterrupt> raised, Function<Interrupt, Optional<Value>> value) {
    return raised.stream()
        .map(it -> value.apply(it.interrupt()).map(StoredObject::bytes).orElse(null))
        .toArray(byte[][]::new);
  }
}
