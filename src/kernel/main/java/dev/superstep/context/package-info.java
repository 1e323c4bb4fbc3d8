/// Prompt contexts as values: what a model gets besides the messages, rules about it, and merging.
/// Rooms: `transform`, `filter` (where entries are dropped), `read`, `trace`. Begin with
/// [dev.superstep.context.PromptContext].
@NullMarked
package dev.superstep.context;

import org.jspecify.annotations.NullMarked;
