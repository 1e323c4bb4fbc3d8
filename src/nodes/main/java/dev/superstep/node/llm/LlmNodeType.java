package dev.superstep.node.llm;

import dev.superstep.definition.Suggestion;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.expression.Expression;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.graph.Pointer;
import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.Schemas;
import dev.superstep.model.ModelOptions;
import dev.superstep.model.Models;
import dev.superstep.node.ConfigSchema;
import dev.superstep.node.NodeConfig;
import dev.superstep.node.ResultTemplate;
import dev.superstep.node.ResultWrites;
import dev.superstep.node.tool.MessageChannel;
import dev.superstep.node.tool.ToolNames;
import dev.superstep.node.tool.ToolPermits;
import dev.superstep.node.tool.ToolsOfGraphs;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Calls a chat model.
final class LlmNodeType implements NodeType {
  private final Expressions expressions;
  private final Models models;
  private final ToolsOfGraphs all;
  private final ToolPermits permits;
  private final ModelCalls calls;
  private final ObjectValue schema = ConfigSchema.read("llm");

  LlmNodeType(
      Expressions expressions,
      Models models,
      ToolsOfGraphs all,
      ToolPermits permits,
      ModelCalls calls) {
    this.permits = permits;
    this.expressions = expressions;
    this.models = models;
    this.all = all;
    this.calls = calls;
  }

  @Override
  public String name() {
    return "llm";
  }

  @Override
  public ObjectValue configSchema() {
    return schema;
  }

  @Override
  public NodeRunner create(Node node, GraphOutline graph) {
    var config = new NodeConfig(node, expressions);
    var tools = all.of(graph);
    checkModel(config);
    checkOptions(config);
    ToolNames.check(config, tools, permits, graph.name());
    var messages = MessageChannel.of(config, graph);
    var answerMapping = output(node, graph, config, messages);
    var promptBuilder =
        new PromptBuilder(
            template(config, "system"),
            template(config, "prompt"),
            messages,
            PromptBuilder.ContextTemplate.of(expressions));
    var requestOptions =
        new RequestOptions(
            new RequestOptions.Server(models, tools, permits, calls),
            template(config, "model"),
            template(config, "tools"),
            template(config, "options"),
            streaming(config));
    var answers = answers(config);
    var overflowRecovery =
        new OverflowRecovery(
            messages.flatMap(it -> Optional.ofNullable(graph.compactors().get(it))));
    return config.unlessRefused(
        () -> new LlmNode(promptBuilder, requestOptions, answers, answerMapping, overflowRecovery));
  }

  private static Optional<Expression> template(NodeConfig config, String key) {
    return config.has(key) ? Optional.of(config.template(key)) : Optional.empty();
  }

  /// A server without models takes such nodes, with a warning: definitions are written before
  /// models are set up.
  @Override
  public boolean available() {
    return !models.names().isEmpty();
  }

  private void checkModel(NodeConfig config) {
    if (!available()) {
      return;
    }
    var name = config.text("model");
    if (name.isEmpty() && models.standard().isEmpty()) {
      config.refuse(
          "model",
          "unknown_model",
          "name a model: this server has no default among %s".formatted(models.names()));
    } else if (name.filter(it -> !it.contains("{{") && models.find(it).isEmpty()).isPresent()) {
      config.refuse(
          "model",
          "unknown_model",
          "this server has no model '%s'; it has %s".formatted(name.get(), models.names()));
    }
  }

  private static void checkOptions(NodeConfig config) {
    if (config.find("options").orElse(Value.NULL) instanceof ObjectValue object
        && !object.toString().contains("{{")) {
      var known = object;
      for (var name : object.asMap().keySet()) {
        if (!ModelOptions.known().contains(name)) {
          config.refuse(Pointer.child("options", name), "bad_model_options", unknown(name));
          known = known.minus(name);
        }
      }
      ModelOptions.problem(known)
          .ifPresent(it -> config.refuse("options", "bad_model_options", it));
    }
  }

  private static String unknown(String option) {
    return "there is no option '%s'%s; there are %s"
        .formatted(
            option,
            Suggestion.among(ModelOptions.known(), option),
            String.join(", ", ModelOptions.known()));
  }

  private static RequestOptions.Streaming streaming(NodeConfig config) {
    return switch (config.find("stream").orElse(Value.NULL)) {
      case Value.Bool(boolean always) ->
          always ? RequestOptions.Streaming.ALWAYS : RequestOptions.Streaming.NEVER;
      case Value _ -> RequestOptions.Streaming.WATCHED;
    };
  }

  private static Optional<AnswerSchema> answers(NodeConfig config) {
    try {
      return config
          .find("output_schema")
          .map(it -> new AnswerSchema(ObjectValue.orEmpty(it), Schemas.compile(it)));
    } catch (InvalidSchemaException e) {
      e.problems()
          .forEach(
              it -> config.refuse("output_schema" + it.pointer(), "invalid_schema", it.message()));
      return Optional.empty();
    }
  }

  /// An answer must go somewhere: to the messages, to `output_to`, to where `result` says, or to
  /// the channel that is named like the node.
  private static AnswerMapping output(
      Node node, GraphOutline graph, NodeConfig config, Optional<String> messages) {
    var result = ResultTemplate.insteadOf("output_to", config, node, graph);
    var to = outputTo(node, config, messages);
    to.ifPresent(it -> checkOutput(it, graph, config));
    var fields =
        new HashSet<>(
            List.of(
                AgentFields.FINISH_REASON, AgentFields.ITERATION, AgentFields.VALIDATED_CONTENT));
    fields.removeIf(it -> !graph.takes(it));
    var counts =
        graph.channels().get(AgentFields.ITERATION).reducer() instanceof Reducer.Sum
            ? AnswerMapping.Counting.ADDS
            : AnswerMapping.Counting.REPLACES;
    return new AnswerMapping(messages, to, result, Set.copyOf(fields), counts);
  }

  private static Optional<String> outputTo(
      Node node, NodeConfig config, Optional<String> messages) {
    var to = config.text("output_to");
    boolean nowhere = messages.isEmpty() && !config.has(ResultTemplate.KEY);
    return to.isEmpty() && nowhere ? Optional.of(node.id().value()) : to;
  }

  private static void checkOutput(String channel, GraphOutline graph, NodeConfig config) {
    if (!channel.matches("[A-Za-z_][A-Za-z0-9_]{0,63}")) {
      config.refuse(
          "output_to",
          "missing_field",
          "the node's id '%s' cannot name a channel; say which takes the answer"
              .formatted(channel));
    } else if (!graph.takes(channel)) {
      config.refuse(
          "output_to",
          "unknown_channel",
          "channel '%s' is not declared, and the graph has strict_channels: true"
              .formatted(channel));
    }
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    var config = new NodeConfig(node, expressions);
    var messages = MessageChannel.of(config, graph);
    var named = new HashSet<String>();
    messages.ifPresent(named::add);
    outputTo(node, config, messages).ifPresent(named::add);
    var result =
        config.find(ResultTemplate.KEY).map(ResultWrites::of).orElse(WrittenChannels.NOTHING);
    named.addAll(result.named());
    var own = new HashSet<String>();
    if (messages.isPresent()) {
      own.addAll(List.of(AgentFields.FINISH_REASON, AgentFields.ITERATION));
      if (config.has("output_schema")) {
        own.add(AgentFields.VALIDATED_CONTENT);
      }
    }
    return new WrittenChannels(own, named, result.others());
  }

  /// Messages that a run brings along, or a node writes, and that this node does not send.
  @Override
  public void advise(Node node, GraphOutline graph, Location at) {
    var config = new NodeConfig(node, expressions);
    adviseOneAnswer(config, MessageChannel.of(config, graph), at);
    boolean expected = !config.has("prompt") || graph.channels().declared().containsKey("messages");
    if (!config.has("messages") && expected && MessageChannel.of(config, graph).isEmpty()) {
      at.warn(
          "messages_not_sent",
          "the node sends no messages: declare a channel 'messages' with reducer messages,"
              + " say template: agent, or messages: '' if that is meant");
    }
  }

  /// A prompt of its own and a channel for the answer are a call beside the conversation.
  private static void adviseOneAnswer(NodeConfig config, Optional<String> messages, Location at) {
    boolean beside = config.has("prompt") && config.has("output_to") && !config.has("messages");
    messages
        .filter(_ -> beside)
        .ifPresent(it ->
            at.warn(
                "also_appended",
                "the answer goes to 'output_to' and is appended to channel '%s', which later calls send: write messages: \"\" if they should not see it, or messages: %s if they should"
                    .formatted(it, it)));
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
