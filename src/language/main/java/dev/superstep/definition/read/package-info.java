/// Reads a definition into a graph and a program. Begin with
/// [dev.superstep.definition.read.DefinitionReader].
@NullMarked
package dev.superstep.definition.read;

import org.jspecify.annotations.NullMarked;
