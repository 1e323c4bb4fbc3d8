package dev.superstep.run.store;

import dev.superstep.checkpoint.ChangeCodec;
import dev.superstep.checkpoint.HeadCodec;
import dev.superstep.checkpoint.StoredObject;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.run.ContinueThread;
import dev.superstep.run.ContinueThread.ThreadSettings;
import dev.superstep.run.ContinueThread.ThreadWork;
import dev.superstep.run.IfBusy;
import dev.superstep.run.InputEdit;
import dev.superstep.run.RunWebhooks;
import dev.superstep.run.SettingsChange;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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

  /// Whom the run tells what happens in it.
  @Column(updatable = false)
  private byte @Nullable [] webhooks;

  @Column(updatable = false)
  private short webhookLevel;

  @NullUnmarked
  protected RunInputEntity() {}

  /// The request of a run that only adds to the state, within the limits of its graph.
  ///
  /// @param header of the run, with the value of each param of the graph
  /// @param input in canonical form
  /// @param context likewise; null: none
  public RunInputEntity(RunHeader header, byte[] input, byte @Nullable [] context) {
    this.run = header.id();
    this.input = input;
    this.context = context;
    this.metadata = StoredJson.texts(header.metadata());
    this.params = header.params().isEmpty() ? null : Canonical.bytes(header.params());
    this.traceparent = header.traceparent().orElse(null);
  }

  public String run() {
    return run;
  }

  /// Has the input do more than add to the state.
  public void edit(InputEdit other) {
    edit = other.isEmpty() ? null : Canonical.bytes(other.value());
  }

  /// Has the run tell these what happens in it.
  public void webhooks(RunWebhooks all) {
    webhooks = all.stored();
    webhookLevel = all.level();
  }

  /// Has nobody be told what happens in the run.
  public void tellsNobody() {
    webhookLevel = -1;
  }

  public byte @Nullable [] webhooksBytes() {
    return webhooks == null ? null : webhooks.clone();
  }

  public short webhookLevel() {
    return webhookLevel;
  }

  /// Has the run wait to go on with its thread, as the call says.
  public void continues(ContinueThread call) {
    continues = StoredContinuation.bytes(call);
  }

  /// How much the call takes that the run waits to carry out.
  public long callBytes() {
    return continues == null ? 0 : continues.length;
  }

  /// @param hash of the request, whose client has chosen the id of the run
  public void requestHash(byte[] hash) {
    requestHash = hash.clone();
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

  /// Writes and reads calls that wait to go on with their thread (`run_input.continues`). Where
  /// they go on from is in the head of the run.
  private static final class StoredContinuation {
    private StoredContinuation() {}

    static byte[] bytes(ContinueThread call) {
      var work = call.work();
      var given = call.given();
      var settings = given.settings();
      var written =
          ObjectValue.builder()
              .put("change", StoredObject.value(ChangeCodec.bytes(work.change())))
              .put("goto", ListValue.texts(work.goTo().toArray(String[]::new)))
              .put("ends", Value.of(work.ends()))
              .put("variables", given.variables());
      work.answer().ifPresent(it -> written.put("answer", ListValue.of(it)));
      given.supersteps().ifPresent(it -> written.put("supersteps", Value.of((long) it)));
      settings.interruptBefore().ifPresent(it -> written.put("before", sorted(it)));
      settings.interruptAfter().ifPresent(it -> written.put("after", sorted(it)));
      return StoredObject.bytes(written.build());
    }

    private static ListValue sorted(Collection<String> nodes) {
      return ListValue.texts(new TreeSet<>(nodes).toArray(String[]::new));
    }

    static ContinueThread read(byte[] bytes, String thread) {
      var in = StoredJson.object(bytes);
      var work =
          new ThreadWork(
              in.get("answer") instanceof ListValue one
                  ? Optional.of(one.get(0))
                  : Optional.empty(),
              ChangeCodec.read(StoredObject.bytes(in.getOr("change", ObjectValue.empty()))),
              texts(in, "goto"),
              in.getOr("ends", Value.NULL).equals(Value.of(true)));
      var settings = new SettingsChange(nodes(in, "before"), nodes(in, "after"));
      var supersteps =
          in.get("supersteps") instanceof Value.Int(var number)
              ? Optional.of(Math.toIntExact(number))
              : Optional.<Integer>empty();
      var variables = in.get("variables") instanceof ObjectValue all ? all : ObjectValue.empty();
      var given = new ThreadSettings(supersteps, variables, settings);
      return new ContinueThread(thread, Optional.empty(), work, given, IfBusy.ENQUEUE);
    }

    private static Optional<Set<String>> nodes(ObjectValue in, String member) {
      return in.has(member) ? Optional.of(Set.copyOf(texts(in, member))) : Optional.empty();
    }

    private static List<String> texts(ObjectValue in, String member) {
      return in.getOr(member, ListValue.empty()) instanceof ListValue list
          ? list.stream().map(it -> ((Value.Text) it).value()).toList()
          : List.of();
    }
  }
}
