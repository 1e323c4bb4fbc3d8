package dev.superstep.node.compact;

import dev.superstep.definition.GraphOutline;
import dev.superstep.definition.InvalidNodeException;
import dev.superstep.definition.NodeType;
import dev.superstep.definition.Problem;
import dev.superstep.definition.Summarizers;
import dev.superstep.definition.Writes;
import dev.superstep.engine.Compactor;
import dev.superstep.engine.NodeRunner;
import dev.superstep.engine.Summarizer;
import dev.superstep.graph.Node;
import dev.superstep.node.ConfigSchema;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Reducer;
import dev.superstep.state.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/// Compacts a channel now.
@Component
final class CompactNodeType implements NodeType {
  private static final String CHANNEL = "messages";
  private static final int KEEP_LAST = 10;
  private final ObjectValue schema = ConfigSchema.read("compact");
  private final ObjectProvider<Summarizers> summarizers;

  /// @param summarizers asked for only when a node is made
  CompactNodeType(ObjectProvider<Summarizers> summarizers) {
    this.summarizers = summarizers;
  }

  @Override
  public String name() {
    return "compact";
  }

  @Override
  public String description() {
    return ConfigSchema.describe(schema);
  }

  @Override
  public ObjectValue configSchema() {
    return schema;
  }

  @Override
  public NodeRunner create(Node node, GraphOutline graph) {
    var problems = new ArrayList<Problem>();
    var config = node.config();
    var channel = channel(config);
    check(channel, graph).ifPresent(problems::add);
    int keepLast =
        config.get("keep_last") instanceof Value.Int(var count)
            ? (int) Math.min(count, Integer.MAX_VALUE)
            : KEEP_LAST;
    var summarizer = summarizer(config, problems);
    if (summarizer.isEmpty() || !problems.isEmpty()) {
      throw new InvalidNodeException(problems);
    }
    return new Compactor(channel, keepLast, summarizer.get());
  }

  private static String channel(ObjectValue config) {
    return config.get("channel") instanceof Value.Text(var name) ? name : CHANNEL;
  }

  private Optional<Summarizer> summarizer(ObjectValue config, List<Problem> problems) {
    var declared =
        config.get("summarizer") instanceof ObjectValue object ? object : ObjectValue.empty();
    try {
      return Optional.of(summarizers.getObject().create(declared));
    } catch (InvalidNodeException e) {
      e.problems().forEach(it -> problems.add(it.under("/summarizer")));
      return Optional.empty();
    }
  }

  /// Only lists in the order of what came can be compacted, and none that never shrinks (E21).
  private static Optional<Problem> check(String channel, GraphOutline graph) {
    var declared = graph.channels().declared().get(channel);
    if (declared == null) {
      return Optional.of(
          Problem.of(
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
            Problem.of(
                "/channel",
                "not_applicable",
                "channel '%s' cannot be compacted: its reducer must be messages, append or block_append, and it must not be append_only"
                    .formatted(channel)));
  }

  @Override
  public Writes writes(Node node, GraphOutline graph) {
    return Writes.named(channel(node.config()));
  }

  @Override
  public boolean mayRoute(ObjectValue config) {
    return false;
  }
}
