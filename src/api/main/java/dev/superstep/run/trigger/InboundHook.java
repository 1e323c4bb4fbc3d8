package dev.superstep.run.trigger;

import dev.superstep.definition.form.TriggerTables.DeclaredHook;
import dev.superstep.security.ActingCallers.LastingCaller;

/// A webhook that starts runs.
///
/// @param graph as rows have it
/// @param trigger its name in the definition of the graph
/// @param caller for whom the runs start
record InboundHook(String graph, String trigger, DeclaredHook declared, LastingCaller caller) {}
