package dev.superstep.node.spec;

/// The table CompactionThreshold of the language.
public interface CompactionThresholdSpec {
  /// Messages that the channel may have
  CompactionThresholdSpec messagesOver(long value);

  /// Whose tokens; default: the summarizer's model
  CompactionThresholdSpec model(String value);

  /// Tokens that the channel may have
  CompactionThresholdSpec tokensOver(long value);
}
