/// Turns the drawing that LangGraph makes of a graph, and the schemas of its state, into the
/// skeleton of a definition: text in, text out. Begin with
/// [dev.superstep.command.langgraph.LangGraphImport]. What the drawing does not say is marked with
/// TODO in the skeleton, which is valid all the same.
@NullMarked
package dev.superstep.command.langgraph;

import org.jspecify.annotations.NullMarked;
