/// Reads context rules of definitions. Begin with [dev.superstep.context.read.ContextRuleReader].
@NullMarked
package dev.superstep.context.read;

import org.jspecify.annotations.NullMarked;
