package dev.superstep.node;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;

/// A summary written in Java: a Spring bean whose bean name is the function's name in definitions
/// (`summarizer: {type: function, function: <name>}`). It may come in a jar under
/// `SUPERSTEP_EXTENSIONS`.
///
/// Calls are at-least-once, with the same [FunctionCall#idempotencyKey]; one instance serves many
/// at a time. Whatever it throws is a failed compaction, which loses nothing and is tried again
/// once the channel has grown by a tenth. It should answer an interrupt of its thread soon.
@FunctionalInterface
public interface SummaryFunction {

  /// @param messages what the summary will stand for, in order, earlier summaries among them
  /// @return the text of the summary
  /// @throws NodeException to fail with a code of its own
  String summarize(ListValue messages, FunctionCall call) throws Exception;

  /// One sentence for authors of graphs; listed by `GET /v1/functions`.
  default String description() {
    return "";
  }

  /// JSON Schema of the `arguments` of a summarizer, for authors; `{}` if it declares none.
  default ObjectValue argumentsSchema() {
    return ObjectValue.empty();
  }
}
