package dev.superstep.engine;

import dev.superstep.engine.checkpoint.ChannelSize;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.RetryPolicy;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.TokenCounter;
import java.time.Duration;
import java.util.Optional;

/// The `compaction` of a channel: when it is due, and how it is done.
public record Compaction(Threshold when, Compactor compactor) {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  /// @param messages due above this many items; empty: no bound
  /// @param tokens due above this many tokens; empty: no bound
  public record Threshold(Optional<Integer> messages, Optional<Long> tokens, TokenCounter counter) {

    public boolean isCrossedBy(ChannelSize size) {
      return messages.filter(it -> size.messages() > it).isPresent()
          || tokens.filter(it -> size.tokens() > it).isPresent();
    }

    /// Costs O(items that are new since the list was measured last).
    public ChannelSize measure(ListValue list) {
      return new ChannelSize(list.size(), tokens.isPresent() ? list.tokens(counter) : 0);
    }
  }

  public String channel() {
    return compactor.channel();
  }

  /// The engine's own node. A failure of it blocks nothing and is not retried at once: the next try
  /// comes when the channel has grown.
  public Node node() {
    return new Node(
        NodeId.compacting(channel()),
        "compact",
        ObjectValue.empty(),
        new Node.Policy(RetryPolicy.NEVER, Optional.of(TIMEOUT), Node.OnError.CONTINUE, 0, false),
        Node.Routing.DEFAULT);
  }
}
