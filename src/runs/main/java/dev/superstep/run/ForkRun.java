package dev.superstep.run;

import dev.superstep.context.ContextEdit;
import dev.superstep.graph.Limits;
import dev.superstep.state.Change;
import java.util.Optional;

/// A new run from a committed checkpoint of an old one (E42, E48).
///
/// @param run the run to fork from
/// @param version another version of the same graph; empty: that of the source
/// @param thread the thread that the new run joins, as its newest run; empty: none
/// @param asNode the change counts as this node's result and its routing decides what runs next;
///   `__end__` clears what is pending, `__start__` begins anew with the edited state
/// @param context edits the prompt context that the new run begins with
/// @param ifBusy what happens if a run of that thread is active
/// @param settings of the new run, over those of the source
public record ForkRun(
    String run,
    int checkpoint,
    Optional<Integer> version,
    Optional<Change> change,
    Optional<String> asNode,
    Limits limits,
    ContextEdit context,
    Optional<String> thread,
    IfBusy ifBusy,
    SettingsChange settings) {

  /// Whether it edits, or says what runs next in place of a node.
  public boolean decides() {
    return change.filter(it -> !it.isEmpty()).isPresent()
        || !context.isEmpty()
        || asNode.filter(it -> !it.equals("__start__")).isPresent();
  }
}
