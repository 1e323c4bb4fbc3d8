package dev.superstep.run;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A request to start a run.
///
/// @param version empty: the newest
/// @param context prompt context over that of the graph: `template`, `variables`, `metadata`
/// @param id chosen by the client; empty: one is generated
/// @param thread that it belongs to
/// @param edit what the input does besides adding to the state
public record StartRun(
    String graph,
    Optional<Integer> version,
    ObjectValue input,
    Optional<ObjectValue> context,
    Optional<String> id,
    Optional<String> thread,
    Map<String, String> metadata,
    Options options,
    InputEdit edit) {

  /// What a request may name as its `durability`, which changes nothing: whatever anybody can
  /// notice is on disk.
  public static final List<String> DURABILITIES = List.of("sync", "async", "exit");

  public StartRun {
    metadata = Map.copyOf(metadata);
  }

  /// A start whose input only adds to the state.
  public StartRun(
      String graph,
      Optional<Integer> version,
      ObjectValue input,
      Optional<ObjectValue> context,
      Optional<String> id,
      Optional<String> thread,
      Map<String, String> metadata,
      Options options) {
    this(graph, version, input, context, id, thread, metadata, options, InputEdit.NONE);
  }

  public StartRun with(Options other) {
    return new StartRun(graph, version, input, context, id, thread, metadata, other, edit);
  }

  public StartRun with(InputEdit other) {
    return new StartRun(graph, version, input, context, id, thread, metadata, options, other);
  }

  /// This request for a run of this id.
  ///
  /// @param more metadata that it has besides
  public StartRun named(String run, Map<String, String> more) {
    var all = new HashMap<>(metadata);
    all.putAll(more);
    return new StartRun(
        graph, version, input, context, Optional.of(run), thread, all, options, edit);
  }

  /// This request as part of a trace.
  ///
  /// @param traceparent empty: of none
  public StartRun within(Optional<String> traceparent) {
    return with(options.within(traceparent));
  }

  /// @param breakpoints [Breakpoints#NONE]: those of the graph
  /// @param priority higher is claimed first; 0 by default
  /// @param startAt empty: at once
  /// @param traceparent of its trace (W3C trace context)
  /// @param params values of the graph's params, over those that the operator has set
  /// @param ifBusy what happens if the thread has an active run
  /// @param from the checkpoint of the thread from whose state the run begins; empty: the newest
  /// @param webhooks whom the run tells what happens in it
  public record Options(
      Limits limits,
      Breakpoints breakpoints,
      int priority,
      Optional<Instant> startAt,
      Optional<String> traceparent,
      ObjectValue params,
      IfBusy ifBusy,
      Optional<CheckpointRef> from,
      RunWebhooks webhooks) {
    public static final Options DEFAULT =
        new Options(Limits.NONE, Breakpoints.NONE, 0, Optional.empty());

    /// Options of a run that is part of no trace and does not disturb another.
    public Options(
        Limits limits, Breakpoints breakpoints, int priority, Optional<Instant> startAt) {
      this(
          limits,
          breakpoints,
          priority,
          startAt,
          Optional.empty(),
          ObjectValue.empty(),
          IfBusy.REJECT,
          Optional.empty(),
          RunWebhooks.NONE);
    }

    public Options params(ObjectValue values) {
      return new Options(
          limits, breakpoints, priority, startAt, traceparent, values, ifBusy, from, webhooks);
    }

    public Options ifBusy(IfBusy other) {
      return new Options(
          limits, breakpoints, priority, startAt, traceparent, params, other, from, webhooks);
    }

    public Options from(Optional<CheckpointRef> other) {
      return new Options(
          limits, breakpoints, priority, startAt, traceparent, params, ifBusy, other, webhooks);
    }

    public Options webhooks(RunWebhooks other) {
      return new Options(
          limits, breakpoints, priority, startAt, traceparent, params, ifBusy, from, other);
    }

    private Options within(Optional<String> trace) {
      return new Options(
          limits, breakpoints, priority, startAt, trace, params, ifBusy, from, webhooks);
    }
  }
}
