/// Prompt contexts as values: what a model gets besides the messages, the rules that filter and
/// transform it, how they are read, and merging. Begin with [PromptContext].
@NullMarked
package dev.superstep.context;

import org.jspecify.annotations.NullMarked;
