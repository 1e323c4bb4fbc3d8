package dev.superstep.run.store;

import dev.superstep.checkpoint.codec.HeadCodec;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
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

/// The request of a run. Only its limits ever change, when a resume raises them.
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

  @Column(updatable = false)
  private byte @Nullable [] breakpoints;

  @JdbcTypeCode(SqlTypes.JSON)
  @Column(updatable = false)
  private Map<String, String> metadata;

  @Column(updatable = false)
  private byte @Nullable [] params;

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
    this.breakpoints = asked.breakpoints().isEmpty() ? null : HeadCodec.bytes(asked.breakpoints());
    this.metadata = asked.metadata();
    this.params = asked.params().isEmpty() ? null : Canonical.bytes(asked.params());
    this.requestHash = asked.requestHash();
    this.traceparent = asked.traceparent().orElse(null);
    this.limits = bytes(asked.limits());
  }

  /// The parts of a request besides the input.
  ///
  /// @param params the value of each param of the graph
  public record Asked(
      Optional<ObjectValue> context,
      Limits limits,
      Breakpoints breakpoints,
      Map<String, String> metadata,
      ObjectValue params,
      byte @Nullable [] requestHash,
      Optional<String> traceparent) {}

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

  private static byte @Nullable [] bytes(Limits limits) {
    return limits.equals(Limits.NONE) ? null : HeadCodec.bytes(limits);
  }
}
