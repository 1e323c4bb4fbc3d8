package dev.superstep.context;

import dev.superstep.context.Trace.Reason;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// The Java filters of a node: run in parallel, joined with what its rule filters made of the same
/// input (P15). An item stays if every filter keeps it; a changed value comes from the highest
/// priority that changes it, ties in the order of declaration; the order of completion does not
/// matter.
///
/// @param answerMax time after which a filter that has not answered has failed
record ParallelFilters(List<One> filters, Duration answerMax) {
  static final Duration ANSWER_MAX = Duration.ofSeconds(30);
  static final ParallelFilters NONE = new ParallelFilters(List.of());

  /// @param pointer in the node's definition, a JSON pointer
  public record One(
      String name, JavaContextFilter filter, ObjectValue config, double priority, String pointer) {}

  /// The result of one filter.
  private record Made(double priority, PromptContext context, Reason reason) {}

  public ParallelFilters {
    filters = List.copyOf(filters);
  }

  public ParallelFilters(List<One> filters) {
    this(filters, ANSWER_MAX);
  }

  boolean isNone() {
    return filters.isEmpty();
  }

  /// @param input of all filters
  /// @param ruled the result of the rule filters
  /// @param priority of these
  /// @throws ContextException if one fails; of several, the first in the definition
  public PromptContext join(
      PromptContext input, PromptContext ruled, double priority, Trace trace) {
    var made = new ArrayList<Made>();
    made.add(new Made(priority, ruled, new Reason("", "")));
    made.addAll(call(input));
    explain(input, made, trace);
    made.sort(Comparator.comparingDouble((Made it) -> -it.priority));
    var contexts = made.stream().map(Made::context).toList();
    return input.with(
        members(input.variables(), contexts.stream().map(PromptContext::variables).toList()),
        members(input.metadata(), contexts.stream().map(PromptContext::metadata).toList()),
        entries(input, contexts));
  }

  /// What all filters leave of the input, unchanged (P12, mode `chain`).
  ///
  /// @param ruled what the rule filters leave of it
  PromptContext narrow(PromptContext input, PromptContext ruled) {
    var joined = join(input, ruled, 0, Trace.OFF);
    var left = byId(joined.history());
    return input.with(
        only(input.variables(), joined.variables()),
        only(input.metadata(), joined.metadata()),
        new Entries(input.history(), input.times()).keep(it -> left.containsKey(Entries.id(it))));
  }

  private static ObjectValue only(ObjectValue input, ObjectValue joined) {
    var left = input;
    for (var key : input.asMap().keySet()) {
      left = joined.has(key) ? left : left.minus(key);
    }
    return left;
  }

  private List<Made> call(PromptContext input) {
    var calls =
        filters.stream()
            .<Callable<PromptContext>>map(it -> () -> it.filter.filter(input, it.config))
            .toList();
    // Not closed, which would wait for filters that do not answer an interrupt.
    @SuppressWarnings("resource")
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    try {
      var results = threads.invokeAll(calls, answerMax.toMillis(), TimeUnit.MILLISECONDS);
      var made = new ArrayList<Made>();
      for (int i = 0; i < filters.size(); i++) {
        var one = filters.get(i);
        var reason = new Reason(one.pointer, "filter %s drops it".formatted(one.name));
        made.add(new Made(one.priority, result(one, results.get(i)), reason));
      }
      return made;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ContextException(ContextException.FILTER_FAILED, "the filters were interrupted", e);
    } finally {
      threads.shutdownNow();
    }
  }

  /// Users' code is not checked for null: it may return it.
  private PromptContext result(One one, Future<PromptContext> result) throws InterruptedException {
    try {
      var made = result.get();
      if (made != null) {
        return made;
      }
    } catch (ExecutionException e) {
      throw new ContextException(
          ContextException.FILTER_FAILED,
          "context filter %s: %s".formatted(one.name, e.getCause()),
          e);
    } catch (CancellationException e) {
      throw new ContextException(
          ContextException.FILTER_FAILED,
          "context filter %s has not answered within %d ms"
              .formatted(one.name, answerMax.toMillis()),
          e);
    }
    throw new ContextException(
        ContextException.FILTER_FAILED, "context filter %s returned null".formatted(one.name));
  }

  private static void explain(PromptContext input, List<Made> made, Trace trace) {
    for (var it : made.subList(1, made.size())) {
      dropped(Part.VARIABLES, input.variables(), it.context.variables(), it, trace);
      dropped(Part.METADATA, input.metadata(), it.context.metadata(), it, trace);
      var left = byId(it.context.history());
      input
          .history()
          .forEach(entry -> {
            if (!left.containsKey(Entries.id(entry))) {
              trace.dropped(Part.HISTORY, Entries.id(entry), it.reason);
            }
          });
    }
  }

  private static void dropped(
      Part part, ObjectValue before, ObjectValue after, Made made, Trace trace) {
    before.forEach((key, _) -> {
      if (!after.has(key)) {
        trace.dropped(part, key, made.reason);
      }
    });
  }

  private static ObjectValue members(ObjectValue input, List<ObjectValue> made) {
    var joined = new HashMap<String, Value>();
    for (var one : made) {
      one.forEach((key, value) -> {
        if (!value.equals(input.get(key))) {
          joined.putIfAbsent(key, value);
        }
      });
    }
    input.forEach((key, value) -> {
      if (made.stream().allMatch(it -> it.has(key))) {
        joined.putIfAbsent(key, value);
      } else {
        joined.remove(key);
      }
    });
    return ObjectValue.of(joined);
  }

  private static Entries entries(PromptContext input, List<PromptContext> made) {
    var histories = made.stream().map(it -> byId(it.history())).toList();
    return new Entries(input.history(), input.times())
        .keep(entry -> histories.stream().allMatch(it -> it.containsKey(Entries.id(entry))))
        .map(entry ->
            histories.stream()
                .map(it -> it.getOrDefault(Entries.id(entry), entry))
                .filter(it -> !it.equals(entry))
                .findFirst()
                .orElse(entry));
  }

  private static Map<String, Value> byId(ListValue history) {
    var byId = new HashMap<String, Value>();
    history.forEach(it -> byId.put(Entries.id(it), it));
    return byId;
  }
}
