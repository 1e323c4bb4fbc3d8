package dev.superstep.context;

import dev.superstep.state.value.ObjectValue;

/// A filter of a node, in Java: `context_filter` with `type: java` and the name of this Spring
/// bean. It may take its time: all such filters of a node run in parallel, on the same input as its
/// rule filters, and an item stays only if every filter keeps it (P15, S4-27).
///
/// If it throws, or has not answered after 30 seconds, the task fails with `context_filter_failed`.
/// It is interrupted then, and when the attempt times out. In mode `chain` it is called once more
/// for what the node passes on.
@FunctionalInterface
public interface JavaContextFilter {

  /// @param context what the node's type lets through; called on a thread of its own
  /// @param config of the filter, `{}` if it has none
  /// @return what is left of it, changed values included; added keys are taken over
  PromptContext filter(PromptContext context, ObjectValue config) throws Exception;

  /// One sentence for people.
  default String description() {
    return "";
  }
}
