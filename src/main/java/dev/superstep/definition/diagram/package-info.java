/// Graphs as Mermaid and DOT. Begin with [dev.superstep.definition.diagram.Diagrams].
@NullMarked
package dev.superstep.definition.diagram;

import org.jspecify.annotations.NullMarked;
