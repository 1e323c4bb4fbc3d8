package dev.superstep.engine.checkpoint;

import dev.superstep.context.PromptContext;
import dev.superstep.state.value.Identity;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The context that a task has passed on (P12), as its difference to the run's: a checkpoint does
/// not repeat what the run has anyway.
///
/// @param history what the passed history is made of, in order
public record ContextDelta(
    MemberChange variables, MemberChange metadata, List<DeltaPiece> history) {

  /// @param without keys of the run that were not passed on
  /// @param with keys whose value is not that of the run
  public record MemberChange(List<String> without, ObjectValue with) {
    public MemberChange {
      without = List.copyOf(without);
    }

    static MemberChange of(ObjectValue passed, ObjectValue run) {
      if (Identity.same(passed, run)) { // mostly nothing was held back
        return new MemberChange(List.of(), ObjectValue.empty());
      }
      var without = run.asMap().keySet().stream().filter(it -> !passed.has(it)).toList();
      var with = new HashMap<String, Value>();
      passed.forEach((key, value) -> {
        if (!value.equals(run.get(key))) {
          with.put(key, value);
        }
      });
      return new MemberChange(without, ObjectValue.of(with));
    }

    boolean isNothing() {
      return without.isEmpty() && with.isEmpty();
    }

    ObjectValue over(ObjectValue run) {
      var passed = run;
      for (var key : without) {
        passed = passed.minus(key);
      }
      return passed.plusAll(with);
    }
  }

  /// A section of a history.
  public sealed interface DeltaPiece {

    /// Entries of the run.
    ///
    /// @param to exclusive
    record Range(int from, int to) implements DeltaPiece {}

    /// An entry that the run does not have like this.
    record Changed(Value entry, Value time) implements DeltaPiece {}
  }

  public ContextDelta {
    history = List.copyOf(history);
  }

  /// The context of a run, to which those of many tasks are compared.
  public static final class Whole {
    private final PromptContext run;
    private final Map<Value, Integer> places;

    public Whole(PromptContext run) {
      this.run = run;
      places = places(run.history());
    }

    public ContextDelta minus(PromptContext passed) {
      return new ContextDelta(
          MemberChange.of(passed.variables(), run.variables()),
          MemberChange.of(passed.metadata(), run.metadata()),
          pieces(passed, run, places));
    }
  }

  private static List<DeltaPiece> pieces(
      PromptContext passed, PromptContext run, Map<Value, Integer> places) {
    var pieces = new ArrayList<DeltaPiece>();
    for (int i = 0; i < passed.history().size(); i++) {
      var entry = passed.history().get(i);
      var place = places.get(id(entry));
      if (place == null || !run.history().get(place).equals(entry)) {
        pieces.add(new DeltaPiece.Changed(entry, passed.times().get(i)));
      } else if (!pieces.isEmpty()
          && pieces.getLast() instanceof DeltaPiece.Range(int from, int to)
          && to == place) {
        pieces.set(pieces.size() - 1, new DeltaPiece.Range(from, to + 1));
      } else {
        pieces.add(new DeltaPiece.Range(place, place + 1));
      }
    }
    return pieces;
  }

  private static Map<Value, Integer> places(ListValue history) {
    var places = new HashMap<Value, Integer>();
    for (int i = 0; i < history.size(); i++) {
      places.put(id(history.get(i)), i);
    }
    return places;
  }

  private static Value id(Value entry) {
    return entry instanceof ObjectValue object ? object.getOr("id", Value.NULL) : Value.NULL;
  }

  /// Rebuilds the passed context from the context of the run.
  public PromptContext over(PromptContext run) {
    return isAllOf(run) ? run : differing(run);
  }

  private boolean isAllOf(PromptContext run) {
    int size = run.history().size();
    return variables.isNothing()
        && metadata.isNothing()
        && history.equals(size == 0 ? List.of() : List.of(new DeltaPiece.Range(0, size)));
  }

  private PromptContext differing(PromptContext run) {
    var entries = ListValue.builder();
    var times = ListValue.builder();
    for (var piece : history) {
      switch (piece) {
        case DeltaPiece.Range(int from, int to) -> {
          for (int i = from; i < Math.min(to, run.history().size()); i++) {
            entries.add(run.history().get(i));
            times.add(run.times().get(i));
          }
        }
        case DeltaPiece.Changed(var entry, var time) -> {
          entries.add(entry);
          times.add(time);
        }
      }
    }
    return new PromptContext(
        run.template(),
        variables.over(run.variables()),
        entries.build(),
        times.build(),
        metadata.over(run.metadata()));
  }
}
