/// Graphs that are written in Java: interfaces whose methods are the keys of the language. All but
/// [GraphDefinition] and what says them is written from the schema of the language.
@NullMarked
package dev.superstep.node.spec;

import org.jspecify.annotations.NullMarked;
