package dev.superstep.engine.checkpoint;

import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Spending;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What is left to do after a checkpoint.
///
/// @param activations complete, dispatches with their input, in task order
/// @param arrivals partly satisfied joins: edge id → sources that have arrived (E27)
/// @param ended whether some branch has reached `__end__` (E13)
/// @param dispatched dispatches emitted so far in the run
/// @param tried channel → its size when its compaction came to nothing: the next try waits until it
///   has grown
/// @param origins the origins of the activations (P11)
/// @param spent on models by all committed supersteps of the run
/// @param outcomes how dispatches under a policy have ended ([DispatchOutcomes]); `{}`: none that
///   anybody can still ask about
public record Pending(
    List<Activation> activations,
    Map<String, Set<NodeId>> arrivals,
    boolean ended,
    long dispatched,
    Map<String, ChannelSize> tried,
    ActivationOrigins origins,
    Spending spent,
    ObjectValue outcomes) {
  public Pending {
    activations = List.copyOf(activations);
    arrivals = Map.copyOf(arrivals);
    tried = Map.copyOf(tried);
  }

  /// What is pending where no dispatch had a policy.
  public Pending(
      List<Activation> activations,
      Map<String, Set<NodeId>> arrivals,
      boolean ended,
      long dispatched,
      Map<String, ChannelSize> tried,
      ActivationOrigins origins,
      Spending spent) {
    this(activations, arrivals, ended, dispatched, tried, origins, spent, ObjectValue.empty());
  }

  /// What is pending in a run without prompt context.
  public Pending(
      List<Activation> activations,
      Map<String, Set<NodeId>> arrivals,
      boolean ended,
      long dispatched,
      Map<String, ChannelSize> tried) {
    this(activations, arrivals, ended, dispatched, tried, ActivationOrigins.NONE, Spending.NOTHING);
  }

  /// What is pending in a run without prompt context and compaction.
  public Pending(
      List<Activation> activations,
      Map<String, Set<NodeId>> arrivals,
      boolean ended,
      long dispatched) {
    this(activations, arrivals, ended, dispatched, Map.of());
  }

  /// Whether nothing but `__end__` is left.
  public boolean isEnd() {
    return activations.size() == 1 && activations.getFirst().node().equals(NodeId.END);
  }

  /// What is left where nothing may lead to success.
  public Pending withoutEnd() {
    return isEnd()
        ? new Pending(List.of(), arrivals, false, dispatched, tried, origins, spent, outcomes)
        : this;
  }

  /// What is left where a node stands in for the end, or is activated besides.
  public Pending leadingTo(Activation added) {
    var all = new ArrayList<>(withoutEnd().activations);
    if (!all.contains(added)) {
      all.add(added);
    }
    return new Pending(all, arrivals, ended, dispatched, tried, origins, spent, outcomes);
  }

  public Pending with(ActivationOrigins others) {
    return new Pending(activations, arrivals, ended, dispatched, tried, others, spent, outcomes);
  }

  public Pending with(Spending other) {
    return new Pending(activations, arrivals, ended, dispatched, tried, origins, other, outcomes);
  }

  public Pending with(ObjectValue other) {
    return new Pending(activations, arrivals, ended, dispatched, tried, origins, spent, other);
  }
}
