/// Graphs as Mermaid flowcharts. Begin with [dev.superstep.definition.diagram.Diagrams].
@NullMarked
package dev.superstep.definition.diagram;

import org.jspecify.annotations.NullMarked;
