package dev.superstep.langgraph.thread;

import dev.superstep.state.value.ObjectValue;

/// A graph with its definition.
///
/// @param within the whole definition, which has the inline graphs
/// @param definition of the graph in long form; an inline one's is a part of `within`
record DefinedGraph(ObjectValue within, ObjectValue definition) {}
