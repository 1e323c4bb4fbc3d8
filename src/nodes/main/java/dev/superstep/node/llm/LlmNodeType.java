package dev.superstep.node.llm;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.definition.form.Durations;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.graph.Pointer;
import dev.superstep.model.ModelOptions;
import dev.superstep.model.ModelPermits;
import dev.superstep.model.Models;
import dev.superstep.node.ConfiguredNodeType;
import dev.superstep.node.NodeConfig;
import dev.superstep.node.ResultTemplate;
import dev.superstep.node.tool.MessageChannel;
import dev.superstep.node.tool.ToolNames;
import dev.superstep.node.tool.ToolPermits;
import dev.superstep.node.tool.ToolsOfGraphs;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Calls a chat model.
final class LlmNodeType extends ConfiguredNodeType {
  private static final String OUTPUT_TO = "output_to";
  private static final String OUTPUT_SCHEMA = "output_schema";
  private static final String MODELS = "models";
  private static final String FALLBACK_ON = "fallback_on";
  private static final String FALLBACK_WAIT = "fallback_wait";
  private static final String UNKNOWN = "unknown_model";
  private final Models models;
  private final ToolsOfGraphs all;
  private final ToolPermits permits;
  private final ModelPermits permitted;
  private final ModelCalls calls;

  /// The models of the server, and which graphs may use them.
  record PermittedModels(Models models, ModelPermits permits) {}

  LlmNodeType(
      Expressions expressions,
      PermittedModels models,
      ToolsOfGraphs all,
      ToolPermits permits,
      ModelCalls calls) {
    super("llm", expressions);
    this.permits = permits;
    this.models = models.models();
    this.permitted = models.permits();
    this.all = all;
    this.calls = calls;
  }

  @Override
  protected Supplier<NodeRunner> read(NodeConfig config) {
    var tools = all.of(config.graph());
    checkModel(config);
    checkOptions(config);
    ToolNames.check(config, tools, permits);
    var messages = MessageChannel.of(config);
    var answerMapping = output(config, messages);
    var promptBuilder =
        new PromptBuilder(
            config.findTemplate("system"),
            config.literal("system"),
            config.findTemplate("prompt"),
            messages,
            PromptBuilder.ContextTemplate.of(config.expressions()));
    var requestOptions =
        new RequestOptions(
            new RequestOptions.Server(models, tools, permits, calls),
            choice(config),
            config.findTemplate("tools"),
            config.findTemplate("options"),
            new RequestOptions.Delivering(streaming(config), caching(config)));
    var answers = answers(config);
    var overflowRecovery =
        new OverflowRecovery(
            messages.flatMap(it -> Optional.ofNullable(config.graph().compactors().get(it))));
    return () ->
        new LlmNode(promptBuilder, requestOptions, answers, answerMapping, overflowRecovery);
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
    if (config.has(MODELS)) {
      checkModels(config);
      return;
    }
    var name = config.text("model");
    if (name.isEmpty() && models.standard().isEmpty()) {
      config.refuse(
          "model",
          UNKNOWN,
          "name a model: this server has no default among %s".formatted(models.names()));
      return;
    }
    var literal = name.isEmpty() ? name : config.literal("model");
    if (literal.filter(it -> models.find(it).isEmpty()).isPresent()) {
      config.refuse(
          "model",
          UNKNOWN,
          "this server has no model '%s'; it has %s".formatted(name.get(), models.names()));
    }
    (name.isEmpty() ? models.standard() : literal.flatMap(models::find))
        .flatMap(it -> permitted.refusal(it, config.graph().name()))
        .ifPresent(it -> config.refuse("model", ModelPermits.NOT_ALLOWED, it));
  }

  private void checkModels(NodeConfig config) {
    var names = ListValue.orEmpty(config.find(MODELS).orElse(Value.NULL)).asList();
    var seen = new HashSet<String>();
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i) instanceof Value.Text(var name) && !name.contains("{{")) {
        checkModel(config, Pointer.child(MODELS, i), name);
        if (!seen.add(name)) {
          config.refuse(
              Pointer.child(MODELS, i),
              Codes.DUPLICATE,
              "model '%s' is in the list already".formatted(name));
        }
      }
    }
  }

  private void checkModel(NodeConfig config, String key, String name) {
    var found = models.find(name);
    if (found.isEmpty()) {
      config.refuse(
          key,
          UNKNOWN,
          "this server has no model '%s'%s; it has %s"
              .formatted(name, Suggestion.among(models.names(), name), models.names()));
    }
    found
        .flatMap(it -> permitted.refusal(it, config.graph().name()))
        .ifPresent(it -> config.refuse(key, ModelPermits.NOT_ALLOWED, it));
  }

  private static ModelChoice choice(NodeConfig config) {
    if (config.has("model") && config.has(MODELS)) {
      config.refuse("model", Codes.NOT_APPLICABLE, "models names them all; remove model or models");
    }
    for (var key : List.of(FALLBACK_ON, FALLBACK_WAIT)) {
      if (config.has(key) && !config.has(MODELS)) {
        config.refuse(key, Codes.NOT_APPLICABLE, "needs models: whom to ask then");
      }
    }
    return new ModelChoice(
        config.findTemplate("model"), config.findTemplate(MODELS), fallback(config));
  }

  private static Fallback fallback(NodeConfig config) {
    var codes =
        config.find(FALLBACK_ON).map(ListValue::orEmpty).stream()
            .flatMap(ListValue::stream)
            .map(PromptBuilder::text)
            .collect(Collectors.toSet());
    var wait = config.text(FALLBACK_WAIT).map(it -> turnWait(config, it));
    return new Fallback(
        config.has(FALLBACK_ON) ? codes : Fallback.USUAL, wait.orElse(Fallback.WAIT));
  }

  private static Duration turnWait(NodeConfig config, String written) {
    var parsed = Durations.parse(written);
    if (parsed.isEmpty()) {
      config.refuse(FALLBACK_WAIT, "invalid_duration", "write 500ms, 30s, 5m, 1h, 2d or ISO 8601");
    }
    return parsed.orElse(Fallback.WAIT);
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

  private static RequestOptions.Caching caching(NodeConfig config) {
    return config.isText("cache", "off") ? RequestOptions.Caching.OFF : RequestOptions.Caching.AUTO;
  }

  private static Optional<AnswerSchema> answers(NodeConfig config) {
    return config
        .find(OUTPUT_SCHEMA)
        .map(it -> new AnswerSchema(ObjectValue.orEmpty(it), config.schema(OUTPUT_SCHEMA)));
  }

  /// An answer must go somewhere: to the messages, to `output_to`, to where `result` says, or to
  /// the channel that is named like the node.
  private static AnswerMapping output(NodeConfig config, Optional<String> messages) {
    var graph = config.graph();
    var result = ResultTemplate.insteadOf(OUTPUT_TO, config);
    var to = outputTo(config, messages);
    to.ifPresent(
        it -> config.checkChannel(it, OUTPUT_TO, "say which takes the answer", "channel '%s'"));
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

  private static Optional<String> outputTo(NodeConfig config, Optional<String> messages) {
    var to = config.text(OUTPUT_TO);
    boolean nowhere = messages.isEmpty() && !config.has(ResultTemplate.KEY);
    return to.isEmpty() && nowhere ? Optional.of(config.node().id().value()) : to;
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    var config = config(node, graph);
    var messages = MessageChannel.of(config);
    var named = new HashSet<String>();
    messages.ifPresent(named::add);
    outputTo(config, messages).ifPresent(named::add);
    var result = super.writes(node, graph);
    named.addAll(result.named());
    var own = new HashSet<String>();
    if (messages.isPresent()) {
      own.addAll(List.of(AgentFields.FINISH_REASON, AgentFields.ITERATION));
      if (config.has(OUTPUT_SCHEMA)) {
        own.add(AgentFields.VALIDATED_CONTENT);
      }
    }
    return new WrittenChannels(own, named, result.others());
  }

  /// Messages that a run brings along, or a node writes, and that this node does not send.
  @Override
  public void advise(Node node, GraphOutline graph, Location at) {
    var config = config(node, graph);
    adviseOneAnswer(config, MessageChannel.of(config), at);
    boolean expected = !config.has("prompt") || graph.channels().declared().containsKey("messages");
    if (!config.has("messages") && expected && MessageChannel.of(config).isEmpty()) {
      at.warn(
          "messages_not_sent",
          "the node sends no messages: declare a channel 'messages' with reducer messages,"
              + " say template: agent, or messages: '' if that is meant");
    }
  }

  /// A prompt of its own and a channel for the answer are a call beside the conversation.
  private static void adviseOneAnswer(NodeConfig config, Optional<String> messages, Location at) {
    boolean beside = config.has("prompt") && config.has(OUTPUT_TO) && !config.has("messages");
    messages
        .filter(_ -> beside)
        .ifPresent(it ->
            at.warn(
                "also_appended",
                "the answer goes to 'output_to' and is appended to channel '%s', which later calls send: write messages: \"\" if they should not see it, or messages: %s if they should"
                    .formatted(it, it)));
  }
}
