package dev.superstep.node.http;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.graph.Pointer;
import dev.superstep.node.ConfigSchema;
import dev.superstep.node.NodeConfig;
import dev.superstep.node.ResultTemplate;
import dev.superstep.node.ResultWrites;
import dev.superstep.secret.ReleasedSecrets;
import dev.superstep.secret.SecretUse;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Calls web services.
final class HttpNodeType implements NodeType {
  private static final List<String> OF_REQUEST =
      List.of("method", "body", "success", "response_schema", "result");
  private static final List<String> OF_FUNCTION = List.of("state_keys");
  private static final Pattern CHANNEL = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");
  private final Expressions expressions;
  private final ObjectValue schema = ConfigSchema.read("http");
  private final HttpCalls calls;
  private final Secrets secrets;
  private final ReleasedSecrets released;

  public HttpNodeType(
      HttpCalls calls, Expressions expressions, Secrets secrets, ReleasedSecrets released) {
    this.expressions = expressions;
    this.calls = calls;
    this.secrets = secrets;
    this.released = released;
  }

  @Override
  public String name() {
    return "http";
  }

  @Override
  public ObjectValue configSchema() {
    return schema;
  }

  @Override
  public NodeRunner create(Node node, GraphOutline graph) {
    var config = new NodeConfig(node, expressions);
    var url = config.template("url");
    checkUrl(config);
    checkHeaders(config);
    var headers = headers(config);
    var mode = mode(node, config, graph);
    var follow =
        config.find("follow_redirects").filter(Value.TRUE::equals).isPresent()
            ? Redirects.Follow.YES
            : Redirects.Follow.NO;
    return config.unlessRefused(() -> new HttpNode(url, headers, mode, follow, calls, secrets));
  }

  private Headers headers(NodeConfig config) {
    if (!(config.find("headers").orElse(Value.NULL) instanceof ObjectValue headers)) {
      var none = SecretHeaders.of(ObjectValue.empty(), config, released);
      return new Headers(config.template("headers"), none);
    }
    var secret = SecretHeaders.of(headers, config, released);
    return new Headers(config.template("headers", secret.without(headers)), secret);
  }

  private static Mode mode(Node node, NodeConfig config, GraphOutline graph) {
    boolean request = config.text("mode").filter("request"::equals).isPresent();
    refuse(config, request ? OF_FUNCTION : OF_REQUEST, request ? "function" : "request");
    if (!request) {
      return new FunctionMode(stateKeys(config), node.config().minus("headers"));
    }
    return new RequestMode(
        config.text("method").orElse("GET"),
        config.template("body"),
        config.condition("success"),
        config.schema("response_schema"),
        result(node, config, graph));
  }

  /// Without `result` the response goes to the channel named like the node. Where there can be
  /// none, which posting refuses, a version of an earlier release drops it, as it always did.
  private static ResultTemplate result(Node node, NodeConfig config, GraphOutline graph) {
    var channel = node.id().value();
    return ResultTemplate.of(config, node, graph)
        .orElseGet(() ->
            CHANNEL.matcher(channel).matches() && graph.takes(channel)
                ? ResultTemplate.updating(channel)
                : ResultTemplate.nothing());
  }

  private static void refuse(NodeConfig config, List<String> keys, String mode) {
    for (var key : keys) {
      if (config.has(key)) {
        config.refuse(
            key, "not_applicable", "belongs to mode %s; set mode: %s".formatted(mode, mode));
      }
    }
  }

  private static Optional<List<String>> stateKeys(NodeConfig config) {
    return config
        .find("state_keys")
        .map(it ->
            it instanceof ListValue list
                ? list.stream()
                    .flatMap(key ->
                        key instanceof Value.Text(var text)
                            ? java.util.stream.Stream.of(text)
                            : java.util.stream.Stream.<String>empty())
                    .toList()
                : List.of());
  }

  private static void checkUrl(NodeConfig config) {
    var url = config.text("url").filter(it -> !it.contains("{{"));
    try {
      url.ifPresent(Urls::parse);
    } catch (BadRequestException e) {
      config.refuse("url", "invalid_value", String.valueOf(e.getMessage()));
    }
  }

  private static void checkHeaders(NodeConfig config) {
    if (config.find("headers").orElse(Value.NULL) instanceof ObjectValue headers) {
      var seen = new HashSet<String>();
      headers.forEach((name, _) -> {
        var at = Pointer.child("headers", name);
        Headers.refusal(name).ifPresent(it -> config.refuse(at, "invalid_value", it));
        if (!seen.add(name.toLowerCase(Locale.ROOT))) {
          config.refuse(at, "duplicate", Headers.twice(name));
        }
      });
    }
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    if (!isRequest(node.config())) {
      return WrittenChannels.ANYTHING;
    }
    return node.config().has("result")
        ? ResultWrites.of(node.config().getOr("result", Value.NULL))
        : WrittenChannels.named(node.id().value());
  }

  @Override
  public void advise(Node node, GraphOutline graph, Location at) {
    var config = node.config();
    if (config.get("url") instanceof Value.Text(var url) && SecretUse.isNamedIn(url)) {
      at.key("url").error("secret_in_url", SecretUse.IN_URL);
    }
    if (isRequest(config) && !config.has("result")) {
      checkChannel(node.id().value(), graph, at.key("result"));
    }
  }

  private static void checkChannel(String channel, GraphOutline graph, Location result) {
    if (!CHANNEL.matcher(channel).matches()) {
      result.error(
          "missing_field",
          "the node's id '%s' cannot name a channel; say what becomes of the response, {} for nothing"
              .formatted(channel));
    } else if (!graph.takes(channel)) {
      result.error(
          "unknown_channel",
          "without result the response goes to channel '%s', which is not declared, and the graph has strict_channels: true"
              .formatted(channel));
    }
  }

  private static boolean isRequest(ObjectValue config) {
    return Value.of("request").equals(config.get("mode"));
  }

  @Override
  public boolean mayRoute(ObjectValue config) {
    return !isRequest(config) || config.has("result");
  }

  @Override
  public boolean mayBeEmpty(ObjectValue config) {
    return isRequest(config) && ResultTemplate.mayBeEmpty(config.get(ResultTemplate.KEY));
  }
}
