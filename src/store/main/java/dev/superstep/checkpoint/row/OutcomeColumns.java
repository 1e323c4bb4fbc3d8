package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.TaskRecordCodec;
import dev.superstep.database.EntityColumns;
import dev.superstep.engine.checkpoint.TaskRecord;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/// The part of a statement that records outcomes: `insert … on conflict`. It is SQL, for one
/// statement has to decide which of two outcomes of a task stays, by a condition that JPA cannot
/// express.
@Component
class OutcomeColumns {
  /// The newer generation stays; of one generation, the later outcome.
  public static final String NEWEST_WINS = "recorded_task.generation <= excluded.generation";

  /// Outcomes as bound by [#bind].
  public static final String BOUND =
      """
      unnest(:supersteps::integer[], :tasks::text[], :generations::integer[], :contents::bytea[])
        as outcome (superstep, task, generation, content)\
      """;

  private final EntityColumns columns;

  public OutcomeColumns(EntityManagerFactory entities) {
    this.columns = EntityColumns.of(entities, RecordedTaskEntity.class);
  }

  /// What the outcomes of a statement have in common, as SQL expressions.
  public record Shared(String run, String epoch, String at) {}

  /// @param from rows, with `outcome (superstep, task, generation, content)` among them
  /// @param wins condition under which the new outcome of a task replaces the old one
  public String insert(Shared shared, String from, String wins) {
    var values =
        Map.of(
            "run", shared.run(),
            "superstep", "outcome.superstep",
            "task", "outcome.task",
            "generation", "outcome.generation",
            "lease_epoch", shared.epoch(),
            "content", "outcome.content",
            "recorded_at", shared.at());
    return "%s%nfrom %s%n%s%nwhere %s"
        .formatted(columns.insertSelect(values), from, columns.onConflictUpdate(), wins);
  }

  /// Sets the parameters of [#BOUND].
  public static StatementSpec bind(StatementSpec statement, List<TaskRecord> records) {
    return statement
        .param(
            "supersteps", records.stream().map(it -> it.key().superstep()).toArray(Integer[]::new))
        .param(
            "tasks",
            records.stream().map(it -> TaskRecordCodec.key(it.key())).toArray(String[]::new))
        .param("generations", records.stream().map(TaskRecord::generation).toArray(Integer[]::new))
        .param("contents", records.stream().map(RecordedTaskEntity::bytes).toArray(byte[][]::new));
  }
}
