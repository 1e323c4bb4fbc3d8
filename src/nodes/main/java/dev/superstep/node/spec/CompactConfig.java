package dev.superstep.node.spec;

import java.util.Map;

/// Compacts a channel of messages now: the last ones stay, the others become a summary.
public interface CompactConfig {
  /// The channel, a declared list. Default: messages.
  CompactConfig channel(String value);

  /// How many messages stay as they are, at least. Default: 10.
  CompactConfig keepLast(long value);

  /// What summarises. {type: drop}: nothing, the messages go. {type: expression, expression}: CEL
  /// over input.messages. {type: function, function, arguments}: a summary function of this server.
  /// {type: llm, …}: a chat model.
  CompactConfig summarizer(Map<String, ?> value);
}
