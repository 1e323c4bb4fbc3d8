package dev.superstep.context.filter;

import dev.superstep.context.ConditionScope;
import dev.superstep.context.Entries;
import dev.superstep.context.FailedCondition;
import dev.superstep.context.Part;
import dev.superstep.context.PromptContext;
import dev.superstep.context.View;
import dev.superstep.context.trace.Trace;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;

/// Applies several filters to the same context in parallel (P15, S4-27). The result keeps an item
/// iff every filter keeps it; a transformed value or key comes from the filter with the highest
/// priority that transforms it. It does not depend on which filter finishes first.
public final class AsyncFilters {
  private final ExecutorService executor;

  public AsyncFilters(ExecutorService executor) {
    this.executor = executor;
  }

  /// What one filter makes of the input.
  ///
  /// @param kept untransformed
  private record Sifted(
      PromptContext kept,
      Map<String, Map.Entry<String, Value>> variables,
      Map<String, Map.Entry<String, Value>> metadata,
      Map<String, Value> history,
      List<FailedCondition> failures) {}

  /// @throws ContextException if one of the filters fails; of several, the first in their order
  /// @throws InterruptedException while waiting; the filters are stopped
  public View apply(PromptContext context, List<ContextFilter> filters, ConditionScope scope)
      throws InterruptedException {
    var ordered = ContextFilter.inOrder(filters);
    var calls = ordered.stream().<Callable<Sifted>>map(it -> () -> sift(it, context, scope));
    var sifted = new ArrayList<Sifted>();
    for (var result : executor.invokeAll(calls.toList())) {
      try {
        sifted.add(result.get());
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw new IllegalStateException(e.getCause());
      }
    }
    var failures = sifted.stream().flatMap(it -> it.failures.stream()).toList();
    return new View(join(context, sifted), failures);
  }

  private static Sifted sift(ContextFilter filter, PromptContext context, ConditionScope scope) {
    var activeRules = filter.activeRules(context, scope);
    var kept = filter.partFilters(activeRules).apply(context, Trace.OFF);
    var transformPipeline = filter.transformPipeline(activeRules);
    var entries = new Entries(kept.history(), kept.times());
    return new Sifted(
        kept,
        transformPipeline.workingCopy(kept.variables(), Part.VARIABLES, Trace.OFF).changes(),
        transformPipeline.workingCopy(kept.metadata(), Part.METADATA, Trace.OFF).changes(),
        changes(entries, transformPipeline.entries(entries, Trace.OFF)),
        activeRules.failures());
  }

  private static Map<String, Value> changes(Entries before, Entries after) {
    var changes = new HashMap<String, Value>();
    for (int i = 0; i < before.history().size(); i++) {
      if (!before.history().get(i).equals(after.history().get(i))) {
        changes.put(Entries.id(before.history().get(i)), after.history().get(i));
      }
    }
    return changes;
  }

  private static PromptContext join(PromptContext context, List<Sifted> sifted) {
    if (sifted.isEmpty()) {
      return context;
    }
    return context.with(
        members(
            context.variables(),
            sifted.stream().map(it -> it.kept.variables()).toList(),
            sifted.stream().map(Sifted::variables).toList()),
        members(
            context.metadata(),
            sifted.stream().map(it -> it.kept.metadata()).toList(),
            sifted.stream().map(Sifted::metadata).toList()),
        entries(context, sifted));
  }

  private static ObjectValue members(
      ObjectValue input,
      List<ObjectValue> kept,
      List<Map<String, Map.Entry<String, Value>>> changes) {
    var joined = ObjectValue.builder();
    var moved = ObjectValue.builder();
    input.forEach((key, value) -> {
      if (kept.stream().allMatch(it -> it.has(key))) {
        var change = changes.stream().map(it -> it.get(key)).filter(it -> it != null).findFirst();
        if (change.isPresent()) {
          moved.put(change.get().getKey(), change.get().getValue());
        } else {
          joined.put(key, value);
        }
      }
    });
    added(input, changes).forEach((key, value) -> moved.put(key, value));
    return joined.build().plusAll(moved.build());
  }

  /// What transforms added, which no input had: the highest priority wins.
  private static Map<String, Value> added(
      ObjectValue input, List<Map<String, Map.Entry<String, Value>>> changes) {
    var added = new HashMap<String, Value>();
    for (var change : changes) {
      change.forEach((origin, to) -> {
        if (!input.has(origin)) {
          added.putIfAbsent(to.getKey(), to.getValue());
        }
      });
    }
    return added;
  }

  private static Entries entries(PromptContext context, List<Sifted> sifted) {
    var ids = sifted.stream().map(it -> ids(it.kept.history())).toList();
    var left =
        new Entries(context.history(), context.times())
            .keep(it -> ids.stream().allMatch(kept -> kept.contains(Entries.id(it))));
    return left.map(entry ->
        sifted.stream()
            .map(it -> it.history.get(Entries.id(entry)))
            .filter(it -> it != null)
            .findFirst()
            .orElse(entry));
  }

  private static Set<String> ids(ListValue history) {
    var ids = new HashSet<String>();
    history.forEach(it -> ids.add(Entries.id(it)));
    return ids;
  }
}
