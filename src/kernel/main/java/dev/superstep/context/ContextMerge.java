package dev.superstep.context;

import dev.superstep.state.value.Identity;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Merges the contexts of several edges that reach a node in one superstep (P8 `merge`, P9):
/// variables and metadata are united, a later context wins; history is united by entry id.
public final class ContextMerge {
  private ContextMerge() {}

  /// @param contexts by edge, in declaration order; the last template that is not empty wins
  /// @param order the run's history, whose order entries of one superstep keep; entries that it
  ///   does not have come in the order of the contexts
  public static PromptContext merge(List<PromptContext> contexts, ListValue order) {
    if (contexts.isEmpty()) {
      return PromptContext.EMPTY;
    }
    var merged = contexts.getFirst();
    boolean differ = false;
    for (var context : contexts.subList(1, contexts.size())) {
      if (!Identity.same(context, merged)) {
        differ = true;
        merged =
            new PromptContext(
                context.template().isEmpty() ? merged.template() : context.template(),
                plus(merged.variables(), context.variables()),
                merged.history(),
                merged.times(),
                plus(merged.metadata(), context.metadata()));
      }
    }
    return differ
        ? merged.with(merged.variables(), merged.metadata(), entries(contexts, order))
        : merged;
  }

  private static ObjectValue plus(ObjectValue left, ObjectValue right) {
    return Identity.same(left, right) ? left : left.plusAll(right);
  }

  private static Entries entries(List<PromptContext> contexts, ListValue order) {
    var first = contexts.getFirst();
    if (contexts.stream().allMatch(it -> Identity.same(it.history(), first.history()))) {
      return new Entries(first.history(), first.times());
    }
    var found = new LinkedHashMap<String, Timed>();
    for (int i = 0; i < contexts.size(); i++) {
      collect(contexts.get(i), i, found);
    }
    var positions = positions(order);
    var sorted = new ArrayList<>(found.values());
    sorted.sort(
        Comparator.comparingLong((Timed it) -> Entries.superstep(it.entry))
            .thenComparingInt(
                it -> positions.getOrDefault(Entries.id(it.entry), Integer.MAX_VALUE)));
    var times = ListValue.builder();
    sorted.forEach(it -> {
      if (it.time != null) {
        times.add(it.time);
      }
    });
    return new Entries(ListValue.of(sorted.stream().map(Timed::entry).toList()), times.build());
  }

  private record Timed(Value entry, @Nullable Value time) {}

  private static void collect(PromptContext context, int at, Map<String, Timed> found) {
    for (int i = 0; i < context.history().size(); i++) {
      var entry = context.history().get(i);
      var time = i < context.times().size() ? context.times().get(i) : null;
      var id = Entries.id(entry);
      found.putIfAbsent(id.isEmpty() ? at + "#" + i : id, new Timed(entry, time));
    }
  }

  private static Map<String, Integer> positions(ListValue order) {
    var positions = new HashMap<String, Integer>();
    for (int i = 0; i < order.size(); i++) {
      positions.put(Entries.id(order.get(i)), i);
    }
    return positions;
  }
}
