/// `llm` nodes: one call of a chat model, from messages and prompt context to an assistant message.
/// Begin with [dev.superstep.node.llm.LlmNode].
@NullMarked
package dev.superstep.node.llm;

import org.jspecify.annotations.NullMarked;
