package dev.superstep.node.tool;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.json.KeptSchemas;
import dev.superstep.node.AnswerDeadline;
import dev.superstep.node.CallbackSettings;
import dev.superstep.node.ConfiguredNodeType;
import dev.superstep.node.NodeConfig;
import dev.superstep.node.QuestionAddressees;
import dev.superstep.node.ResultTemplate;
import dev.superstep.state.Reducer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// Runs the tool calls of the last assistant message.
final class ToolNodeType extends ConfiguredNodeType {
  private final ToolsOfGraphs all;
  private final KeptSchemas schemas;
  private final ToolPolicies policies;
  private final ToolPins pins;
  private final ToolCallRunner toolCallRunner;
  private final CallbackSettings callbackSettings;

  ToolNodeType(
      Expressions expressions,
      ToolsOfGraphs all,
      KeptSchemas schemas,
      ToolPolicies policies,
      ToolPins pins,
      ToolCallRunner toolCallRunner,
      CallbackSettings callbackSettings) {
    super("tool", expressions);
    this.policies = policies;
    this.pins = pins;
    this.toolCallRunner = toolCallRunner;
    this.callbackSettings = callbackSettings;
    this.all = all;
    this.schemas = schemas;
  }

  @Override
  protected Supplier<NodeRunner> read(NodeConfig config) {
    var tools = all.of(config.graph());
    ToolNames.check(config, tools, new ToolPermits(policies));
    var channel = MessageChannel.of(config);
    if (channel.isEmpty()) {
      config.refuse(
          "messages",
          "unknown_channel",
          "declare a channel 'messages' with reducer messages, or say here which it is");
    }
    var names = config.findTemplate("tools");
    var approval = approval(config);
    var questions =
        new ToolQuestions(
            config.findTemplate("title"),
            config.findTemplate("text"),
            AnswerDeadline.of(config, schemas.compile(ApprovalDecision.any())),
            config.mayAnswer(),
            QuestionAddressees.of(config),
            schemas);
    var result = ResultTemplate.of(config);
    var callbacks = ToolCallbacks.of(config, tools, callbackSettings);
    return () ->
        new ToolNode(
            channel.orElseThrow(),
            new Toolbox(tools, schemas, names, policies, pins),
            approval,
            questions,
            toolCallRunner,
            new ToolResults(channel.orElseThrow(), fields(config.graph()), result),
            callbacks);
  }

  private static Approval approval(NodeConfig config) {
    return switch (config.text("approval").orElseThrow()) {
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
    var config = config(node, graph);
    var fields = new HashSet<>(fields(graph));
    var own = new HashSet<String>();
    if (!config.isText("approval", "never")) {
      own.addAll(List.of(ToolResults.INTERRUPTED, ToolResults.REJECTED));
    }
    fields.removeAll(own);
    MessageChannel.of(config).ifPresent(fields::add);
    var result = super.writes(node, graph);
    fields.addAll(result.named());
    return new WrittenChannels(own, fields, result.others());
  }

  @Override
  public void advise(Node node, GraphOutline graph, Location at) {
    if (node.config().has("approval_when") && !node.config().isText("approval", "when")) {
      at.key("approval_when")
          .error(
              "not_applicable",
              "has no effect: it decides only with approval: when; set that or remove it");
    }
    AnswerDeadline.advise(node.config(), at);
  }

  @Override
  public boolean mayBeCached() {
    return false;
  }
}
