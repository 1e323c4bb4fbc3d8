package dev.superstep.engine.checkpoint;

/// How large a channel was when its compaction was last tried.
///
/// @param tokens 0 if they are not counted
public record ChannelSize(long messages, long tokens) {

  /// By a tenth, in items or in tokens.
  public boolean hasGrownFrom(ChannelSize before) {
    return messages * 10 >= before.messages * 11
        || (before.tokens > 0 && tokens * 10 >= before.tokens * 11);
  }
}
