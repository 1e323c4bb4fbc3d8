package dev.superstep.run.store;

import dev.superstep.checkpoint.codec.HeadCodec;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.run.ContinueThread;
import dev.superstep.run.InputEdit;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.Map;
import java.util.Optional;
import org.hibernate.annotations.DynamicUpdate;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// The request of a run. Only its limits and breakpoints ever change, when a resume gives others.
@Entity
@DynamicUpdate
@Table(name = "run_input")
public class RunInputEntity {
  @Id private String run;

  @Column(updatable = false)
  private byte[] input;

  @Column(updatable = false)
  private byte @Nullable [] context;

  private byte @Nullable [] limits;

  private byte @Nullable [] breakpoints;

  @JdbcTypeCode(SqlTypes.JSON)
  @Column(updatable = false)
  private Map<String, String> metadata;

  @Column(updatable = false)
  private byte @Nullable [] params;

  /// What the input does besides adding to the state.
  @Column(updatable = false)
  private byte @Nullable [] edit;

  /// The call for which the run waits, if it is to go on with the thread.
  private byte @Nullable [] continues;

  @Column(updatable = false)
  private byte @Nullable [] requestHash;

  @Column(updatable = false)
  private @Nullable String traceparent;

  @NullUnmarked
  protected RunInputEntity() {}

  public RunInputEntity(String run, ObjectValue input, Asked asked) {
    this.run = run;
    this.input = Canonical.bytes(input);
    this.context = asked.context().map(Canonical::bytes).orElse(null);
    this.breakpoints = bytes(asked.breakpoints());
    this.metadata = asked.metadata();
    this.params = asked.params().isEmpty() ? null : Canonical.bytes(asked.params());
    this.requestHash = asked.requestHash();
    this.traceparent = asked.traceparent().orElse(null);
    this.limits = bytes(asked.limits());
    this.edit = asked.edit().isEmpty() ? null : Canonical.bytes(asked.edit().value());
    this.continues = asked.continues().map(StoredContinuation::bytes).orElse(null);
  }

  /// The parts of a request besides the input.
  ///
  /// @param params the value of each param of the graph
  /// @param continues the call that goes on with the thread, for a run that waits to do that
  public record Asked(
      Optional<ObjectValue> context,
      Limits limits,
      Breakpoints breakpoints,
      Map<String, String> metadata,
      ObjectValue params,
      byte @Nullable [] requestHash,
      Optional<String> traceparent,
      InputEdit edit,
      Optional<ContinueThread> continues) {

    /// Of an input that only adds to the state.
    public Asked(
        Optional<ObjectValue> context,
        Limits limits,
        Breakpoints breakpoints,
        Map<String, String> metadata,
        ObjectValue params,
        byte @Nullable [] requestHash,
        Optional<String> traceparent) {
      this(
          context,
          limits,
          breakpoints,
          metadata,
          params,
          requestHash,
          traceparent,
          InputEdit.NONE,
          Optional.empty());
    }
  }

  public InputEdit edit() {
    return edit == null ? InputEdit.NONE : InputEdit.read(StoredJson.object(edit));
  }

  public byte @Nullable [] editBytes() {
    return edit == null ? null : edit.clone();
  }

  /// Whether the run waits to go on with its thread, and not to begin with an input.
  public boolean continuesThread() {
    return continues != null;
  }

  public Optional<ContinueThread> continues(String thread) {
    return Optional.ofNullable(continues).map(it -> StoredContinuation.read(it, thread));
  }

  public Optional<String> traceparent() {
    return Optional.ofNullable(traceparent);
  }

  public byte @Nullable [] limitsBytes() {
    return limits == null ? null : limits.clone();
  }

  public byte @Nullable [] breakpointsBytes() {
    return breakpoints == null ? null : breakpoints.clone();
  }

  public Limits limits() {
    return limits == null ? Limits.NONE : HeadCodec.limits(limits);
  }

  public void limits(Limits changed) {
    limits = bytes(changed);
  }

  public Breakpoints breakpoints() {
    return breakpoints == null ? Breakpoints.NONE : HeadCodec.breakpoints(breakpoints);
  }

  public void breakpoints(Breakpoints changed) {
    breakpoints = bytes(changed);
  }

  public byte[] input() {
    return input.clone();
  }

  public byte @Nullable [] context() {
    return context == null ? null : context.clone();
  }

  public Map<String, String> metadata() {
    return Map.copyOf(metadata);
  }

  public ObjectValue params() {
    return StoredJson.objectOrEmpty(params);
  }

  public byte @Nullable [] paramsBytes() {
    return params == null ? null : params.clone();
  }

  public byte @Nullable [] requestHash() {
    return requestHash == null ? null : requestHash.clone();
  }

  private static byte @Nullable [] bytes(Breakpoints breakpoints) {
    return breakpoints.isEmpty() ? null : HeadCodec.bytes(breakpoints);
  }

  private static byte @Nullable [] bytes(Limits limits) {
    return limits.equals(Limits.NONE) ? null : HeadCodec.bytes(limits);
  }
}
