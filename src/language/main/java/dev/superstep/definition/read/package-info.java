/// Reads a definition, as text or bundle, into a graph, a program and the tests that it carries,
/// and draws it. Begin with [DefinitionReader].
@NullMarked
package dev.superstep.definition.read;

import org.jspecify.annotations.NullMarked;
