/// Prompt contexts: what a model is told besides the messages (context.md).
@NullMarked
package dev.superstep.context;

import org.jspecify.annotations.NullMarked;
