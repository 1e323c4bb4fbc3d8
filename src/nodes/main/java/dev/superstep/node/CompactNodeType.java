package dev.superstep.node;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.Summarizers;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.Compactor;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.graph.Node;
import dev.superstep.graph.Violation;
import dev.superstep.graph.Violations;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;

/// Compacts a channel now.
final class CompactNodeType implements NodeType {
  private static final String CHANNEL = "messages";
  private static final int KEEP_LAST = 10;
  private final ObjectValue schema = ConfigSchema.read("compact");
  private final Summarizers summarizers;

  CompactNodeType(Summarizers summarizers) {
    this.summarizers = summarizers;
  }

  @Override
  public String name() {
    return "compact";
  }

  @Override
  public ObjectValue configSchema() {
    return schema;
  }

  @Override
  public NodeRunner create(Node node, GraphOutline graph) {
    var violations = new Violations();
    var config = node.config();
    var channel = channel(config);
    check(channel, graph).ifPresent(violations::error);
    int keepLast =
        config.get("keep_last") instanceof Value.Int(var count)
            ? (int) Math.min(count, Integer.MAX_VALUE)
            : KEEP_LAST;
    var summarizer = summarizer(config, violations);
    if (summarizer.isEmpty() || violations.hasErrors()) {
      throw new InvalidNodeException(violations.errors());
    }
    return new Compactor(channel, keepLast, summarizer.get());
  }

  private static String channel(ObjectValue config) {
    return config.findText("channel").orElse(CHANNEL);
  }

  private Optional<Summarizer> summarizer(ObjectValue config, Violations violations) {
    var declared = config.objectOrEmpty("summarizer");
    try {
      return Optional.of(summarizers.create(declared));
    } catch (InvalidNodeException e) {
      e.problems().forEach(it -> violations.error(it.under("/summarizer")));
      return Optional.empty();
    }
  }

  /// Only lists in the order of what came can be compacted, and none that never shrinks (E21).
  private static Optional<Violation> check(String channel, GraphOutline graph) {
    var declared = graph.channels().declared().get(channel);
    if (declared == null) {
      return Optional.of(
          Violation.of(
              "/channel",
              "unknown_channel",
              "channel '%s' is not declared; only a declared list can be compacted"
                  .formatted(channel)));
    }
    boolean isList =
        declared.reducer() instanceof Reducer.Messages
            || declared.reducer() instanceof Reducer.Append
            || declared.reducer() instanceof Reducer.BlockAppend;
    return isList && !declared.appendOnly()
        ? Optional.empty()
        : Optional.of(
            Violation.of(
                "/channel",
                "not_applicable",
                "channel '%s' cannot be compacted: its reducer must be messages, append or block_append, and it must not be append_only"
                    .formatted(channel)));
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    return WrittenChannels.named(channel(node.config()));
  }

  @Override
  public boolean mayRoute(ObjectValue config) {
    return false;
  }
}
