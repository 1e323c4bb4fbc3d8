package dev.superstep.definition;

/// Asks the run side whether a graph is in use. Called inside the transaction that hides the name.
public interface ActiveRuns {

  /// Active: neither failed, succeeded nor cancelled; of any version.
  long countActive(String graph);
}
