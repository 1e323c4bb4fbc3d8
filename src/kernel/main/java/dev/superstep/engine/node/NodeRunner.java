package dev.superstep.engine.node;

/// Executes one kind of node. The engine calls it on any thread, many calls at a time.
@FunctionalInterface
public interface NodeRunner {

  /// Runs one attempt. Any exception becomes a failed outcome; the node should react to an
  /// interrupt of its thread (time-out, cancel) soon.
  Outcome run(NodeCall call) throws Exception;

  /// Whether the node neither blocks nor has effects: its outcome may be computed again (E10.3),
  /// and what it depends on need not be on disk yet.
  default boolean pure() {
    return false;
  }

  /// Whether the driver's own thread may run it: it is pure, and what it computes is bounded. No
  /// time-out ends it there, and nothing is written meanwhile.
  default boolean brief() {
    return pure();
  }

  /// Whether its calls begin runs, which look at their parent's rows.
  default boolean beginsRuns() {
    return false;
  }

  /// Whether its calls record [SideEffects]. Such tasks stay with the driver of their run, which
  /// writes them, however wide the superstep is.
  default boolean keepsParts() {
    return false;
  }

  /// Whether its calls may call models, and so draw on the budgets of the run ([NodeCall#meter]).
  default boolean spends() {
    return false;
  }
}
