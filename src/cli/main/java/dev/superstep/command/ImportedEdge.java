package dev.superstep.command;

/// An edge as LangGraph draws it, dispatches and gotos included.
///
/// @param label what the function that decides returns for it; "" if the drawing does not say
record ImportedEdge(String from, String to, String label, boolean conditional) {
  ImportedEdge between(String from, String to) {
    return new ImportedEdge(from, to, label, conditional);
  }
}
