package dev.superstep.graph;

import java.util.Optional;

/// How the runs of a graph take the messages that are sent to them (E49).
///
/// @param channel for messages that name none
/// @param node activated instead of the end of the run, so that no message is the last word
public record InboxPolicy(
    Optional<String> channel, Optional<NodeId> node, At at, AtOnce atOnce, IfAtRest ifAtRest) {

  /// What a graph has that says nothing.
  public static final InboxPolicy DEFAULT =
      new InboxPolicy(
          Optional.empty(), Optional.empty(), At.NEXT_SUPERSTEP, AtOnce.ALL, IfAtRest.WAIT);

  /// When a superstep takes messages.
  public enum At {
    NEXT_SUPERSTEP,
    /// With the commit that would end the run.
    END_OF_TURN
  }

  /// How many of them at once.
  public enum AtOnce {
    ALL,
    ONE
  }

  /// What a message does to a run that asks, stands at a breakpoint or has failed.
  public enum IfAtRest {
    WAIT,
    /// Its open questions are closed, and it goes on.
    RESUME
  }

  public boolean resumes() {
    return ifAtRest == IfAtRest.RESUME;
  }
}
