package dev.superstep.definition.read;

import dev.superstep.compute.Tokenizer;
import dev.superstep.definition.Codes;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.definition.type.Summarizers;
import dev.superstep.engine.Compaction;
import dev.superstep.engine.Compactor;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads the `compaction` of channels.
final class CompactionReader {
  private static final int KEEP_LAST = 10;

  /// Reducers whose channels are lists of messages in their order.
  private static final Set<String> LISTS = Set.of("messages", "append", "block_append");

  private final Summarizers summarizers;

  CompactionReader(Summarizers summarizers) {
    this.summarizers = summarizers;
  }

  List<Compaction> read(ObjectValue graph, Location at) {
    var found = new ArrayList<Compaction>();
    for (var channel : Item.each(graph, "channels", at)) {
      if (channel.has("compaction")) {
        read(channel, channel.in("compaction"), graph.textOrEmpty("name")).ifPresent(found::add);
      }
    }
    return found;
  }

  private Optional<Compaction> read(Item channel, Item compaction, String graph) {
    checkChannel(channel, compaction.at());
    int keepLast = compaction.findInt("keep_last").orElse(KEEP_LAST);
    var when = when(compaction, keepLast);
    return summarizer(compaction, graph)
        .map(it -> new Compaction(when, new Compactor(channel.name(), keepLast, it)));
  }

  private static void checkChannel(Item channel, Location here) {
    var reducer = channel.findText("reducer").orElse("last_value");
    if (!LISTS.contains(reducer)) {
      here.error(
          Codes.NOT_APPLICABLE,
          "a channel with reducer '%s' cannot be compacted; use messages, append or block_append"
              .formatted(reducer));
    }
    if (channel.isTrue("append_only")) {
      here.error(
          Codes.NOT_APPLICABLE,
          "an append-only channel is never shortened; remove compaction or append_only");
    }
  }

  private static Compaction.Threshold when(Item compaction, int keepLast) {
    var when = compaction.in("when");
    var messages = when.findInt("messages_over");
    var tokens = when.findWhole("tokens_over");
    if (messages.isEmpty() && tokens.isEmpty() && compaction.has("when")) {
      compaction.error(
          "when", Codes.MISSING_FIELD, "say when: 'tokens_over', 'messages_over', or both");
    }
    if (messages.filter(it -> it <= keepLast).isPresent()) {
      compaction.error(
          "keep_last",
          Codes.INVALID_VALUE,
          "keep_last (%d, the default is %d) must be less than messages_over (%d)"
              .formatted(keepLast, KEEP_LAST, messages.get()));
    }
    if (when.has("model") && tokens.isEmpty()) {
      when.warn("model", Codes.NO_EFFECT, "has no effect: tokens are counted for tokens_over only");
    }
    var model =
        when.findText("model")
            .or(() -> compaction.objectOrEmpty("summarizer").findText("model"))
            .orElse("");
    return new Compaction.Threshold(messages, tokens, Tokenizer.forModel(model));
  }

  private Optional<Summarizer> summarizer(Item compaction, String graph) {
    if (!compaction.has("summarizer")) {
      return Optional.empty();
    }
    var config = compaction.in("summarizer");
    try {
      summarizers.warning(config.object()).ifPresent(config.at()::warn);
      return Optional.of(summarizers.create(config.object(), graph));
    } catch (InvalidNodeException e) {
      e.problems().forEach(config.at()::error);
      return Optional.empty();
    }
  }
}
