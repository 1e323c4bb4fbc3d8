package dev.superstep.node.tool;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.expression.Expression;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.json.KeptSchemas;
import dev.superstep.node.AnswerDeadline;
import dev.superstep.node.ConfigSchema;
import dev.superstep.node.NodeConfig;
import dev.superstep.node.ResultTemplate;
import dev.superstep.node.ResultWrites;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Runs the tool calls of the last assistant message.
final class ToolNodeType implements NodeType {
  private final Expressions expressions;
  private final ToolsOfGraphs all;
  private final KeptSchemas schemas;
  private final ToolSettings settings;
  private final ToolPolicies policies;
  private final ToolPins pins;
  private final CallCounts counts;
  private final MeterRegistry meters;
  private final ObjectValue schema = ConfigSchema.read("tool");

  ToolNodeType(
      Expressions expressions,
      ToolsOfGraphs all,
      KeptSchemas schemas,
      ToolSettings settings,
      ToolPolicies policies,
      ToolPins pins,
      CallCounts counts,
      MeterRegistry meters) {
    this.policies = policies;
    this.pins = pins;
    this.counts = counts;
    this.meters = meters;
    this.expressions = expressions;
    this.all = all;
    this.schemas = schemas;
    this.settings = settings;
  }

  @Override
  public String name() {
    return "tool";
  }

  @Override
  public ObjectValue configSchema() {
    return schema;
  }

  @Override
  public NodeRunner create(Node node, GraphOutline graph) {
    var config = new NodeConfig(node, expressions);
    var tools = all.of(graph);
    ToolNames.check(config, tools, new ToolPermits(policies), graph.name());
    var channel = MessageChannel.of(config, graph);
    if (channel.isEmpty()) {
      config.refuse(
          "messages",
          "unknown_channel",
          "declare a channel 'messages' with reducer messages, or say here which it is");
    }
    var names = member(config, "tools");
    var approval = approval(config);
    var questions =
        new ToolQuestions(
            member(config, "title"),
            member(config, "text"),
            AnswerDeadline.of(config, schemas.compile(ApprovalDecision.any())),
            schemas);
    var toolCallRunner =
        new ToolCallRunner(
            Thread.ofVirtual().name("tool-", 0).factory(),
            settings.parallelMax(),
            settings.resultMax().toBytes(),
            counts,
            meters);
    var result = ResultTemplate.of(config, node, graph);
    return config.unlessRefused(() ->
        new ToolNode(
            channel.orElseThrow(),
            new Toolbox(tools, schemas, names, policies, pins),
            approval,
            questions,
            toolCallRunner,
            new ToolResults(channel.orElseThrow(), fields(graph), result)));
  }

  private static Optional<Expression> member(NodeConfig config, String key) {
    return config.has(key) ? Optional.of(config.template(key)) : Optional.empty();
  }

  private static Approval approval(NodeConfig config) {
    return switch (config.text("approval").orElse("never")) {
      case "always" -> new Approval.Always();
      case "when" ->
          config
              .condition("approval_when")
              .<Approval>map(Approval.When::new)
              .orElseGet(Approval.Always::new);
      default -> new Approval.Never();
    };
  }

  /// The scratchpad is written only where it is declared as a list.
  private static Set<String> fields(GraphOutline graph) {
    var fields = new HashSet<>(List.of(ToolResults.INTERRUPTED, ToolResults.REJECTED));
    fields.removeIf(it -> !graph.takes(it));
    switch (graph.channels().get(ToolResults.SCRATCHPAD).reducer()) {
      case Reducer.Append _, Reducer.BlockAppend _ -> fields.add(ToolResults.SCRATCHPAD);
      default -> {}
    }
    return Set.copyOf(fields);
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    var config = new NodeConfig(node, expressions);
    var fields = new HashSet<>(fields(graph));
    var own = new HashSet<String>();
    if (!config.text("approval").orElse("never").equals("never")) {
      own.addAll(List.of(ToolResults.INTERRUPTED, ToolResults.REJECTED));
    }
    fields.removeAll(own);
    MessageChannel.of(config, graph).ifPresent(fields::add);
    var result =
        config.find(ResultTemplate.KEY).map(ResultWrites::of).orElse(WrittenChannels.NOTHING);
    fields.addAll(result.named());
    return new WrittenChannels(own, fields, result.others());
  }

  @Override
  public void advise(Node node, GraphOutline graph, Location at) {
    boolean asks = Value.of("when").equals(node.config().get("approval"));
    if (node.config().has("approval_when") && !asks) {
      at.key("approval_when")
          .error(
              "not_applicable",
              "has no effect: it decides only with approval: when; set that or remove it");
    }
    AnswerDeadline.advise(node.config(), at);
  }

  @Override
  public boolean mayRoute(ObjectValue config) {
    return ResultTemplate.mayRoute(config.get(ResultTemplate.KEY));
  }

  @Override
  public boolean mayBeEmpty(ObjectValue config) {
    return ResultTemplate.mayBeEmpty(config.get(ResultTemplate.KEY));
  }
}
