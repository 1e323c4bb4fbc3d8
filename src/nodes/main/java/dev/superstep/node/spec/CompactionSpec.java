package dev.superstep.node.spec;

import java.util.Map;
import java.util.function.Consumer;

/// The table CompactionDefinition of the language.
public interface CompactionSpec {
  /// Messages that stay as they are
  CompactionSpec keepLast(long value);

  /// What summarises: {type: drop | expression | function | llm, …}
  CompactionSpec summarizer(Map<String, ?> value);

  /// What is too much: either, or both
  CompactionSpec when(Consumer<CompactionThresholdSpec> author);
}
