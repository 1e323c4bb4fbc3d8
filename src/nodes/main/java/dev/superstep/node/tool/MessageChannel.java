package dev.superstep.node.tool;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.node.NodeConfig;
import dev.superstep.state.Reducer;
import java.util.Optional;

/// Checks the channel of an agent's messages. Nodes append to it, so its reducer must append: any
/// other would lose the conversation.
public final class MessageChannel {
  private static final String STANDARD = "messages";

  private MessageChannel() {}

  /// What `config.messages` names; without it `messages`, if the graph declares that.
  ///
  /// @return empty: none
  public static Optional<String> of(NodeConfig config) {
    var graph = config.graph();
    var declared = graph.channels().declared();
    var named = config.text("messages");
    if (named.isEmpty()) {
      return Optional.of(STANDARD).filter(declared::containsKey).filter(it -> appends(it, graph));
    }
    if (named.get().isEmpty()) {
      return Optional.empty();
    }
    if (!appends(named.get(), graph)) {
      config.refuse(
          "messages",
          "wrong_reducer",
          "channel '%s' must be declared with reducer messages, append or block_append"
              .formatted(named.get()));
    }
    return named;
  }

  private static boolean appends(String channel, GraphOutline graph) {
    return switch (graph.channels().get(channel).reducer()) {
      case Reducer.Messages _, Reducer.Append _, Reducer.BlockAppend _ -> true;
      default -> false;
    };
  }
}
