package dev.superstep.context;

import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;

/// What a model is told besides the messages (P1). Immutable.
///
/// @param variables dotted key → value
/// @param history entries as objects `{id, node_id, prompt, response, superstep, dispatch_id?,
///   metadata}`, oldest first, without their time
/// @param times the time of each history entry, RFC 3339, in the same order; outside the state hash
/// @param metadata dotted key → value
public record PromptContext(
    String template,
    ObjectValue variables,
    ListValue history,
    ListValue times,
    ObjectValue metadata) {

  public static final PromptContext EMPTY =
      new PromptContext(
          "", ObjectValue.empty(), ListValue.empty(), ListValue.empty(), ObjectValue.empty());
}
