package dev.superstep.node.http;

import dev.superstep.definition.GraphOutline;
import dev.superstep.definition.NodeType;
import dev.superstep.engine.NodeRunner;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Node;
import dev.superstep.json.Pointer;
import dev.superstep.node.ConfigSchema;
import dev.superstep.node.LiteralReferences;
import dev.superstep.node.NodeConfig;
import dev.superstep.secret.ReleasedSecrets;
import dev.superstep.secret.Secrets;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Calls web services.
@Component
final class HttpNodeType implements NodeType {
  private static final List<String> OF_REQUEST = List.of("method", "body", "success", "result");
  private static final List<String> OF_FUNCTION = List.of("state_keys");
  private final Expressions expressions;
  private final ObjectValue schema = ConfigSchema.read("http");
  private final HttpCalls calls;
  private final Secrets secrets;
  private final ReleasedSecrets released;

  HttpNodeType(
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
  public String description() {
    return ConfigSchema.describe(schema);
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
    if (config.find("result").orElse(Value.NULL) instanceof ObjectValue result) {
      new LiteralReferences(config, node, graph).check("result/", result);
    }
    var headers = headers(config);
    var mode = mode(node, config);
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

  private static Mode mode(Node node, NodeConfig config) {
    boolean request = config.text("mode").filter("request"::equals).isPresent();
    refuse(config, request ? OF_FUNCTION : OF_REQUEST, request ? "function" : "request");
    if (!request) {
      return new FunctionMode(stateKeys(config), node.config().minus("headers"));
    }
    return new RequestMode(
        config.text("method").orElse("GET"),
        config.template("body"),
        config.condition("success"),
        config.has("result") ? Optional.of(config.template("result")) : Optional.empty());
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
  public boolean mayRoute(ObjectValue config) {
    return !Value.of("request").equals(config.get("mode")) || config.has("result");
  }
}
