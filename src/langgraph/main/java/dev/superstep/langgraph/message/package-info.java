/// Messages as LangChain writes them, and as the channels of a graph hold them. Begin with
/// [dev.superstep.langgraph.message.MessageChannels], which converts whole states, updates and
/// inputs of one graph; [dev.superstep.langgraph.message.WireMessages] converts one message.
///
/// Only values of channels with the reducer `messages` and of their mirrors are converted. Both
/// ways together lose nothing that a channel held: what one form has no word for stands in
/// `metadata`, and in `additional_kwargs`.
@NullMarked
package dev.superstep.langgraph.message;

import org.jspecify.annotations.NullMarked;
