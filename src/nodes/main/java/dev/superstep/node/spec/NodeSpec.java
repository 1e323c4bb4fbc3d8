package dev.superstep.node.spec;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/// The table NodeDefinition of the language.
public interface NodeSpec {
  /// Results that are kept for other tasks; absent: none are
  NodeSpec cache(Consumer<CacheSpec> author);

  /// Short for error edges of which a failure takes the first that fits; one, or a list
  @Key(value = "catch", form = Key.Form.ITEM)
  NodeSpec catchFailure(Consumer<CatchSpec> author);

  /// What the node type takes; strings may be templates
  NodeSpec config(Map<String, ?> value);

  /// What of the prompt context it takes
  NodeSpec contextFilter(Consumer<ContextFilterSpec> author);

  /// Several filters, merged by priority; may be written as context_filter
  @Key(form = Key.Form.ITEM)
  NodeSpec contextFilters(Consumer<OneContextFilterSpec> author);

  /// How it takes the prompt context, or custom:<processor>; default: as its type does
  NodeSpec contextType(String value);

  /// Run only when nothing ordinary is pending
  NodeSpec defer(boolean value);

  /// For people
  NodeSpec description(String value);

  /// How far the dispatches of one task have to get; absent: all have to succeed
  NodeSpec dispatchPolicy(Consumer<DispatchPolicySpec> author);

  /// Take all true edges, or the one of highest weight: all, first
  NodeSpec edgeMode(String value);

  /// Whether a failure takes all error edges that fit, or the first of them: all, first
  NodeSpec errorMode(String value);

  /// Where an empty dispatch leads instead of the end
  NodeSpec ifEmpty(String value);

  /// Tasks of this node at a time
  NodeSpec maxConcurrency(long value);

  /// For people
  NodeSpec name(String value);

  /// Short for an edge to there
  @Key(form = Key.Form.ITEM)
  NodeSpec next(String... items);

  /// What a failure without error edge means: fail, continue
  NodeSpec onError(String value);

  /// Short for error edges of which a failure takes all that fit; one, or a list
  @Key(form = Key.Form.ITEM)
  NodeSpec onFailure(Consumer<FailureSpec> author);

  /// What it means that no case, or no edge of the node, is taken: the branch ends, or the task
  /// fails with invalid_route: end, fail
  NodeSpec onNoMatch(String value);

  /// The run goes on without it: its failure is handled as by on_error continue, and joins count it
  /// as arrived; false says that a join may stall
  NodeSpec optional(boolean value);

  /// For editors; kept, and ignored by the engine
  NodeSpec position(Consumer<PositionSpec> author);

  /// What a custom context type takes
  NodeSpec processorConfig(Map<String, ?> value);

  /// Kept, and ignored by the engine
  NodeSpec properties(Map<String, ?> value);

  /// Patterns of keys without which it must not run
  @Key(form = Key.Form.ITEM)
  NodeSpec requiredContext(String... items);

  /// What a list of several policies at retry is stored as
  @Key(form = Key.Form.ITEM)
  NodeSpec retries(Consumer<RetrySpec> author);

  /// How failed attempts are repeated; absent: never. Of a list, the first that repeats the error
  /// counts, and each counts its own
  @Key(form = Key.Form.ITEM)
  NodeSpec retry(Consumer<RetrySpec> author);

  /// Short for edges of which the first true one is taken
  @Key(value = "switch", form = Key.Form.ITEM)
  NodeSpec switchCase(Consumer<SwitchCaseSpec> author);

  /// What computed goto and dispatch may reach
  @Key(form = Key.Form.ITEM)
  NodeSpec targets(String... items);

  /// Of one attempt
  NodeSpec timeout(Duration value);

  /// Of all attempts and the pauses between them
  NodeSpec totalTimeout(Duration value);
}
