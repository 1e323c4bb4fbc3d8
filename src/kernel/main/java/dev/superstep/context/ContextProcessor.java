package dev.superstep.context;

import dev.superstep.state.value.ObjectValue;

/// Makes the view of nodes with `context_type: custom:<name>` (P14, S4-14). Users register theirs
/// as Spring beans; the bean's name is the processor's.
///
/// If it throws, the task fails with `context_processor_failed`.
@FunctionalInterface
public interface ContextProcessor {

  /// @param context what arrives at the node
  /// @param config the node's `processor_config`, `{}` if it has none
  PromptContext process(PromptContext context, ObjectValue config);

  /// One sentence for people.
  default String description() {
    return "";
  }

  /// JSON Schema of `processor_config`; `{}` if it declares none.
  default ObjectValue configSchema() {
    return ObjectValue.empty();
  }

  /// Whether its result depends on nothing but its arguments. Only then may results be cached
  /// (P16).
  default boolean pure() {
    return false;
  }
}
