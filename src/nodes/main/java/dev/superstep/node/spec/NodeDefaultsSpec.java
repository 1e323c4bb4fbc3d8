package dev.superstep.node.spec;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/// The table NodeDefaults of the language.
public interface NodeDefaultsSpec {
  /// For nodes that do not say what a failure means
  @Key(value = "catch", form = Key.Form.ITEM)
  NodeDefaultsSpec catchFailure(Consumer<CatchSpec> author);

  /// Under the keys of the node's own config
  NodeDefaultsSpec config(Map<String, ?> value);

  /// What of the prompt context they take
  NodeDefaultsSpec contextFilter(Consumer<ContextFilterSpec> author);

  /// Several filters; may be written as context_filter
  @Key(form = Key.Form.ITEM)
  NodeDefaultsSpec contextFilters(Consumer<OneContextFilterSpec> author);

  /// How the nodes take the prompt context
  NodeDefaultsSpec contextType(String value);

  /// Tasks of each node at a time
  NodeDefaultsSpec maxConcurrency(long value);

  /// What a failure without error edge means: fail, continue
  NodeDefaultsSpec onError(String value);

  /// For nodes that do not say what a failure means
  @Key(form = Key.Form.ITEM)
  NodeDefaultsSpec onFailure(Consumer<FailureSpec> author);

  /// What a custom context type takes
  NodeDefaultsSpec processorConfig(Map<String, ?> value);

  /// Patterns of keys without which they must not run
  @Key(form = Key.Form.ITEM)
  NodeDefaultsSpec requiredContext(String... items);

  /// For nodes without retry
  @Key(form = Key.Form.ITEM)
  NodeDefaultsSpec retry(Consumer<RetrySpec> author);

  /// Of one attempt
  NodeDefaultsSpec timeout(Duration value);

  /// Of all attempts and the pauses between them
  NodeDefaultsSpec totalTimeout(Duration value);
}
