package dev.superstep.context;

import dev.superstep.context.TraceStep.Action;
import dev.superstep.context.TraceStep.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Records what happens to each item of a prompt context on its way to a node (P17). Filters write
/// to it only on request; on the hot path it is [#OFF]. Not thread-safe.
public final class Trace {
  public static final Trace OFF = new Trace();
  private final Map<Id, Fate> live = new LinkedHashMap<>();
  private final List<Fate> dead = new ArrayList<>();
  private final List<FailedCondition> failures = new ArrayList<>();
  private Stage stage = Stage.FILTER;
  private String source = "";

  private Trace() {}

  /// @param key the key; of history the entry's id
  private record Id(Part part, String key) {}

  private static final class Fate {
    private final Part part;
    private final @Nullable String nodeId;
    private final List<TraceStep> traceSteps = new ArrayList<>();
    private String key;
    private boolean kept = true;

    Fate(Part part, String key, @Nullable String nodeId) {
      this.part = part;
      this.key = key;
      this.nodeId = nodeId;
    }
  }

  /// One item and what happened to it.
  ///
  /// @param key the key it has, or had when it was dropped; of history the entry's id
  /// @param nodeId of history: the node that wrote the entry
  public record Item(
      Part part, String key, @Nullable String nodeId, Action fate, List<TraceStep> steps) {
    public Item {
      steps = List.copyOf(steps);
    }

    public boolean isKept() {
      return fate != Action.DROPPED;
    }

    /// The step that settled its fate; empty if nothing touched it. Where several edges lead to the
    /// node, one of them may have dropped what another one let through.
    public Optional<TraceStep> decision() {
      return steps.reversed().stream()
          .filter(it -> (it.action() == Action.DROPPED) != isKept())
          .findFirst();
    }
  }

  /// A trace that begins with all that `context` has.
  public static Trace of(PromptContext context) {
    var trace = new Trace();
    context.variables().forEach((key, _) -> trace.open(Part.VARIABLES, key, null));
    context.metadata().forEach((key, _) -> trace.open(Part.METADATA, key, null));
    context.history().forEach(it -> trace.open(Part.HISTORY, Entries.id(it), Entries.node(it)));
    return trace;
  }

  private Fate open(Part part, String key, @Nullable String nodeId) {
    var fate = new Fate(part, key, nodeId);
    live.put(new Id(part, key), fate);
    return fate;
  }

  public boolean isOn() {
    return this != OFF;
  }

  /// Says at which edge or node the following steps happen.
  ///
  /// @param id of the edge or node, "" if it has none
  public void from(String id) {
    if (isOn()) {
      source = id;
    }
  }

  /// Says what the following steps belong to.
  public Trace at(Stage next) {
    if (isOn()) {
      stage = next;
    }
    return this;
  }

  public void kept(Part part, String key, Reason reason) {
    note(part, key, Action.KEPT, reason);
  }

  public void transformed(Part part, String key, Reason reason) {
    note(part, key, Action.TRANSFORMED, reason);
  }

  private void note(Part part, String key, Action action, Reason reason) {
    var fate = isOn() ? live.get(new Id(part, key)) : null;
    if (fate != null) {
      fate.traceSteps.add(step(action, reason));
    }
  }

  public void dropped(Part part, String key, Reason reason) {
    var fate = isOn() ? live.remove(new Id(part, key)) : null;
    if (fate != null) {
      fate.traceSteps.add(step(Action.DROPPED, reason));
      fate.kept = false;
      dead.add(fate);
    }
  }

  /// @param renamed old key → new key; whatever had a new key before is overwritten
  public void renamed(Part part, Map<String, String> renamed, Reason reason) {
    if (!isOn()) {
      return;
    }
    var moving = new LinkedHashMap<String, Fate>();
    renamed.forEach((from, to) -> {
      var fate = live.remove(new Id(part, from));
      var before = fate == null ? null : moving.put(to, fate);
      if (before != null) {
        live.put(new Id(part, to), before);
        dropped(part, to, reason);
      }
    });
    moving.forEach((to, fate) -> {
      dropped(part, to, reason);
      fate.traceSteps.add(step(Action.RENAMED, reason));
      fate.key = to;
      live.put(new Id(part, to), fate);
    });
  }

  public void added(Part part, String key, Reason reason) {
    if (isOn()) {
      open(part, key, null).traceSteps.add(step(Action.ADDED, reason));
    }
  }

  /// A processor may do anything: what it left out is dropped, what it brought is added.
  public void replaced(PromptContext by, Reason reason) {
    if (!isOn()) {
      return;
    }
    var after = of(by);
    for (var id : List.copyOf(live.keySet())) {
      if (after.live.containsKey(id)) {
        kept(id.part, id.key, reason);
      } else {
        dropped(id.part, id.key, reason);
      }
    }
    for (var id : after.live.keySet()) {
      if (!live.containsKey(id)) {
        added(id.part, id.key, reason);
      }
    }
  }

  private TraceStep step(Action action, Reason reason) {
    return new TraceStep(stage, source, action, reason.rule(), reason.text());
  }

  public void failed(List<FailedCondition> conditions) {
    if (isOn()) {
      failures.addAll(conditions);
    }
  }

  /// One trace of the contexts of several edges (P8 `merge`): an item is present if one edge let it
  /// through.
  public static Trace join(List<Trace> traces) {
    if (traces.size() == 1) {
      return traces.getFirst();
    }
    var joined = new Trace();
    for (var trace : traces) {
      joined.failures.addAll(trace.failures);
      trace.live.forEach((id, fate) ->
          joined
              .live
              .computeIfAbsent(id, _ -> new Fate(fate.part, fate.key, fate.nodeId))
              .traceSteps
              .addAll(fate.traceSteps));
    }
    for (var trace : traces) {
      for (var fate : trace.dead) {
        var survivor = joined.live.get(new Id(fate.part, fate.key));
        if (survivor == null) {
          joined.drop(fate);
        } else {
          survivor.traceSteps.addAll(fate.traceSteps);
        }
      }
    }
    return joined;
  }

  private void drop(Fate fate) {
    for (var other : dead) {
      if (other.part == fate.part && other.key.equals(fate.key)) {
        other.traceSteps.addAll(fate.traceSteps);
        return;
      }
    }
    dead.add(fate);
  }

  /// Conditions that failed and counted as false.
  public List<FailedCondition> failures() {
    return List.copyOf(failures);
  }

  /// By part, then by key; history in its order, dropped entries behind.
  public List<Item> items() {
    var fates = new ArrayList<>(live.values());
    fates.addAll(dead);
    fates.sort(Comparator.comparing((Fate it) -> it.part).thenComparing(it -> order(it)));
    return fates.stream().map(Trace::item).toList();
  }

  private static String order(Fate fate) {
    return fate.part == Part.HISTORY ? "" : fate.key;
  }

  private static Item item(Fate fate) {
    return new Item(
        fate.part,
        fate.key,
        fate.nodeId,
        fate.kept ? Action.KEPT : Action.DROPPED,
        fate.traceSteps);
  }

  /// The decision in the words of a rule.
  public record Reason(String rule, String text) {}
}
