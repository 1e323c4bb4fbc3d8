package dev.superstep.node.human;

import dev.superstep.definition.form.Durations;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.expression.compile.Expressions;
import dev.superstep.graph.Node;
import dev.superstep.node.ConfigSchema;
import dev.superstep.node.NodeConfig;
import dev.superstep.node.ResultTemplate;
import dev.superstep.node.ResultWrites;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.violation.Location;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/// Asks a person and makes something of the answer.
@Component
final class HumanNodeType implements NodeType {
  private static final Pattern CHANNEL = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");
  private final Expressions expressions;
  private final ObjectValue schema = ConfigSchema.read("human");

  HumanNodeType(Expressions expressions) {
    this.expressions = expressions;
  }

  @Override
  public String name() {
    return "human";
  }

  @Override
  public ObjectValue configSchema() {
    return schema;
  }

  @Override
  public NodeRunner create(Node node, GraphOutline graph) {
    var config = new NodeConfig(node, expressions);
    var result =
        ResultTemplate.insteadOf("answer_to", config, node, graph)
            .orElseGet(() -> ResultTemplate.updating(channel(node, graph, config)));
    var question = new HumanNode.Question(config.template("payload"), config.find("answer_schema"));
    var answerCheck = config.schema("answer_schema");
    checkDefault(answerCheck, config);
    checkExpiry(config);
    boolean answers = config.text("on_expiry").filter("answer"::equals).isPresent();
    var expiry =
        new HumanNode.Expiring(
            config.template("expires_after"),
            answers ? Optional.of(config.template("default_answer")) : Optional.empty(),
            answerCheck);
    return config.unlessRefused(() ->
        new HumanNode(
            result,
            question,
            config.has("expires_after") ? Optional.of(expiry) : Optional.empty()));
  }

  /// An id may have a hyphen or be longer than a channel's name; then `answer_to` is required.
  private static String channel(Node node, GraphOutline graph, NodeConfig config) {
    var channel = config.text("answer_to").orElse(node.id().value());
    if (!CHANNEL.matcher(channel).matches()) {
      config.refuse(
          "answer_to",
          "missing_field",
          "the node's id '%s' cannot name a channel; say which takes the answer"
              .formatted(channel));
    } else if (!graph.takes(channel)) {
      config.refuse(
          "answer_to",
          "unknown_channel",
          "channel '%s' is not declared, and the graph has strict_channels: true"
              .formatted(channel));
    }
    return channel;
  }

  /// A default that is no template must be an answer like any other (E37).
  private static void checkDefault(ValueCheck answers, NodeConfig config) {
    config
        .find("default_answer")
        .filter(it -> !Canonical.text(it).contains("{{"))
        .ifPresent(it ->
            answers
                .byPointer(it)
                .forEach(wrong ->
                    config.refuse(
                        "default_answer" + wrong.pointer(), "schema_violation", wrong.message())));
  }

  private static void checkExpiry(NodeConfig config) {
    var after = config.text("expires_after").filter(it -> !it.contains("{{"));
    if (after.isPresent() && after.flatMap(Durations::parse).isEmpty()) {
      config.refuse(
          "expires_after", "invalid_duration", "write 500ms, 30s, 5m, 1h, 2d or ISO 8601");
    }
  }

  @Override
  public Optional<Duration> defaultTimeout() {
    return Optional.empty();
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    var config = new NodeConfig(node, expressions);
    return config
        .find(ResultTemplate.KEY)
        .map(ResultWrites::of)
        .orElseGet(() -> WrittenChannels.named(config.text("answer_to").orElse(node.id().value())));
  }

  @Override
  public void advise(Node node, GraphOutline graph, Location at) {
    var config = node.config();
    if (config.has("on_expiry") && !config.has("expires_after")) {
      at.key("on_expiry")
          .error(
              "not_applicable",
              "has no effect: the question never expires; say expires_after or remove it");
    }
    if (config.has("default_answer") && !Value.of("answer").equals(config.get("on_expiry"))) {
      at.key("default_answer")
          .error(
              "not_applicable",
              "has no effect: it answers only with on_expiry: answer; set that or remove it");
    }
  }

  @Override
  public boolean makesAttempts() {
    return false;
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
