package dev.superstep.node.spec;

/// The table InboxDefinition of the language.
public interface InboxSpec {
  /// Whether the next superstep takes them, or the one that would end the run: next_superstep,
  /// end_of_turn
  InboxSpec at(String value);

  /// For messages that name none; default: messages
  InboxSpec channel(String value);

  /// Runs instead of the end when messages were taken with it
  InboxSpec node(String value);

  /// Whether a message has a run go on that asks, stands at a breakpoint or has failed; what it
  /// asks is closed
  InboxSpec resumes(boolean value);

  /// How many a superstep takes: all, one
  InboxSpec take(String value);
}
