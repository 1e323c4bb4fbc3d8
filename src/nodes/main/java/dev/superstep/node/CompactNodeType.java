package dev.superstep.node;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.definition.type.Summarizers;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.Compactor;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Node;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ObjectValue;
import java.util.Optional;
import java.util.function.Supplier;

/// Compacts a channel now.
final class CompactNodeType extends ConfiguredNodeType {
  private static final String CHANNEL = "messages";
  private static final long KEEP_LAST = 10;
  private final Summarizers summarizers;

  CompactNodeType(Expressions expressions, Summarizers summarizers) {
    super("compact", expressions);
    this.summarizers = summarizers;
  }

  @Override
  protected Supplier<NodeRunner> read(NodeConfig config) {
    var written = config.node().config();
    var channel = channel(written);
    check(channel, config);
    long keepLast = written.findWhole("keep_last").orElse(KEEP_LAST);
    var summarizer = summarizer(written, config);
    return () ->
        new Compactor(
            channel, (int) Math.min(keepLast, Integer.MAX_VALUE), summarizer.orElseThrow());
  }

  private static String channel(ObjectValue config) {
    return config.findText("channel").orElse(CHANNEL);
  }

  private Optional<Summarizer> summarizer(ObjectValue written, NodeConfig config) {
    try {
      return Optional.of(
          summarizers.create(written.objectOrEmpty("summarizer"), config.graph().name()));
    } catch (InvalidNodeException e) {
      e.problems().forEach(it -> config.refuse(it.under("/summarizer")));
      return Optional.empty();
    }
  }

  /// Only lists in the order of what came can be compacted, and none that never shrinks (E21).
  private static void check(String channel, NodeConfig config) {
    var declared = config.graph().channels().declared().get(channel);
    if (declared == null) {
      config.refuse(
          "channel",
          "unknown_channel",
          "channel '%s' is not declared; only a declared list can be compacted".formatted(channel));
      return;
    }
    boolean isList =
        declared.reducer() instanceof Reducer.Messages
            || declared.reducer() instanceof Reducer.Append
            || declared.reducer() instanceof Reducer.BlockAppend;
    if (!isList || declared.appendOnly()) {
      config.refuse(
          "channel",
          "not_applicable",
          "channel '%s' cannot be compacted: its reducer must be messages, append or block_append, and it must not be append_only"
              .formatted(channel));
    }
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    return WrittenChannels.named(channel(node.config()));
  }
}
