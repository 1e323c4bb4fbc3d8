/// Writes out what is short for something else: a definition as its author wrote it becomes the
/// long form, which is stored, hashed and run, and each part of the long form keeps its origin, so
/// that problems are reported where the author can mend them. Begin with
/// [dev.superstep.definition.sugar.LongForm].
@NullMarked
package dev.superstep.definition.sugar;

import org.jspecify.annotations.NullMarked;
