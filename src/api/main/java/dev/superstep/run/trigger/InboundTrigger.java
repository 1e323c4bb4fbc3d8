package dev.superstep.run.trigger;

import dev.superstep.definition.form.TriggerTables.DeclaredStart;
import dev.superstep.definition.form.TriggerTables.StartMapping;
import dev.superstep.definition.form.TriggerTables.StartOrigin;
import dev.superstep.security.ActingCallers.LastingCaller;

/// A webhook or an event that starts runs.
///
/// @param graph as rows have it
/// @param trigger its name in the definition of the graph
/// @param caller for whom the runs start
record InboundTrigger(String graph, String trigger, DeclaredStart declared, LastingCaller caller) {
  /// Of one that is no event.
  StartOrigin.FromSender webhook() {
    return (StartOrigin.FromSender) declared.origin();
  }

  StartMapping mapping() {
    return declared.mapping();
  }
}
