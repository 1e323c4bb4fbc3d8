package dev.superstep.node.spec;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/// The table NodeDefaults of the language.
public interface NodeDefaultsSpec {
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

  /// What a custom context type takes
  NodeDefaultsSpec processorConfig(Map<String, ?> value);

  /// Patterns of keys without which they must not run
  @Key(form = Key.Form.ITEM)
  NodeDefaultsSpec requiredContext(String... items);

  /// For nodes without retry
  NodeDefaultsSpec retry(Consumer<RetrySpec> author);

  /// Of one attempt
  NodeDefaultsSpec timeout(Duration value);
}
