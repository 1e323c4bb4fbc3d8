package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.StoredInterrupt.Assignment;
import dev.superstep.checkpoint.StoredInterrupt.InterruptedTask;
import dev.superstep.checkpoint.StoredInterrupt.Status;
import dev.superstep.checkpoint.StoredObject;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Addressees;
import dev.superstep.engine.run.MayAnswer;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// A row of `interrupt`: a question to a person.
@Entity
@Table(name = "interrupt")
class InterruptEntity {
  @Id private String id;
  private String run;
  private String graph;
  private int superstep;
  private String node;
  private @Nullable String dispatchId;
  private String reason;
  private byte[] payload;
  private byte @Nullable [] schema;
  private String status;
  private Instant createdAt;
  private @Nullable Instant expiresAt;

  /// Follows from the default answer; for people who look at the table.
  @Column private @Nullable String onExpiry;

  private byte @Nullable [] defaultAnswer;
  private @Nullable String mayAnswer;
  private byte @Nullable [] addressees;
  private @Nullable String assignee;

  /// One in a line; null: there are none.
  private @Nullable String candidates;

  private byte @Nullable [] answer;
  private @Nullable String answeredBy;

  /// Set by the statements that close it; for people who look at the table.
  @Column private @Nullable Instant closedAt;

  @NullUnmarked
  protected InterruptEntity() {} // for Hibernate; [InterruptColumns] inserts the rows

  StoredInterrupt interrupt() {
    var task = new TaskKey(superstep, new NodeId(node), dispatchId);
    var question =
        new TaskRecord.Interrupt(
            id,
            reason,
            StoredObject.value(payload),
            value(schema),
            createdAt,
            Optional.ofNullable(expiresAt),
            value(defaultAnswer),
            who(),
            addressees());
    return new StoredInterrupt(
        question,
        new InterruptedTask(run, graph, task, List.of()),
        Status.valueOf(status.toUpperCase(Locale.ROOT)),
        value(answer),
        Optional.ofNullable(answeredBy),
        new Assignment(Optional.ofNullable(assignee), InterruptColumns.lines(candidates)));
  }

  private Addressees addressees() {
    return addressees == null
        ? Addressees.NONE
        : Addressees.of((ObjectValue) StoredObject.value(addressees));
  }

  /// What a later release means keeps the one out who is kept out today.
  private MayAnswer who() {
    return mayAnswer == null
        ? MayAnswer.ANYBODY
        : MayAnswer.find(mayAnswer).orElse(MayAnswer.OTHER_THAN_STARTER);
  }

  private static Optional<Value> value(byte @Nullable [] bytes) {
    return bytes == null ? Optional.empty() : Optional.of(StoredObject.value(bytes));
  }
}
