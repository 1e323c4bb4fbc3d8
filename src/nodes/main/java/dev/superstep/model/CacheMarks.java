package dev.superstep.model;

import dev.superstep.model.Protocol.ModelQuestion;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Marks the blocks behind which Anthropic keeps a beginning of the prompt in its cache. A request
/// reads what an earlier one has written: a beginning that both have marked.
///
/// There are four marks at most, as the protocol allows: behind the tools, behind the system
/// prompt, at the end of what later requests begin with, and where that end was one answer earlier.
/// Without the last a request might not find what the one before it has written: the provider looks
/// twenty blocks back, and one answer may have more calls of tools.
///
/// @param messages which of them end with a mark
record CacheMarks(Set<Integer> messages) {
  private static final ObjectValue MARK = ObjectValue.of("type", "ephemeral");

  /// What is sent once is not marked: writing costs more than reading saves.
  static CacheMarks of(ModelQuestion question) {
    var marked = new TreeSet<Integer>();
    var messages = question.messages().subList(0, question.lasting());
    mark(messages, marked);
    mark(messages.subList(0, lastAnswer(messages)), marked);
    return new CacheMarks(marked);
  }

  private static int lastAnswer(List<ChatMessage> messages) {
    int at = messages.size() - 1;
    while (at >= 0 && !(messages.get(at) instanceof ChatMessage.Assistant)) {
      at--;
    }
    return Math.max(at, 0);
  }

  /// System messages have a place of their own, and what has no words cannot be marked.
  private static void mark(List<ChatMessage> messages, Set<Integer> marked) {
    int at = messages.size() - 1;
    while (at >= 0 && !isMarkable(messages.get(at))) {
      at--;
    }
    if (at >= 0) {
      marked.add(at);
    }
  }

  private static boolean isMarkable(ChatMessage message) {
    return switch (message) {
      case ChatMessage.Instructions _ -> false;
      case ChatMessage.User(var text, var images) -> !text.isBlank() || !images.isEmpty();
      case ChatMessage.Assistant(var text, var calls) -> !text.isBlank() || !calls.isEmpty();
      case ChatMessage.Results _ -> true;
    };
  }

  static ObjectValue marked(ObjectValue block) {
    return block.plus("cache_control", MARK);
  }

  /// The content of a message. A single text is written out as a block whether it is marked or not,
  /// so that the prompt stays the same when its end moves on.
  Value content(int message, List<ObjectValue> blocks) {
    if (blocks.isEmpty()) {
      return Value.of("");
    }
    return messages.contains(message) ? markedLast(blocks) : ListValue.of(blocks);
  }

  /// The blocks, of which the last is marked.
  static ListValue markedLast(List<ObjectValue> blocks) {
    var out = ListValue.builder();
    blocks.subList(0, blocks.size() - 1).forEach(out::add);
    out.add(marked(blocks.getLast()));
    return out.build();
  }
}
