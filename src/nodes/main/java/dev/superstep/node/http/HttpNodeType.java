package dev.superstep.node.http;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.graph.Pointer;
import dev.superstep.graph.Violation;
import dev.superstep.node.CallbackSettings;
import dev.superstep.node.CallbackWait;
import dev.superstep.node.ConfiguredNodeType;
import dev.superstep.node.NodeConfig;
import dev.superstep.node.ResultTemplate;
import dev.superstep.secret.ReleasedSecrets;
import dev.superstep.secret.SecretUse;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Calls web services.
final class HttpNodeType extends ConfiguredNodeType {
  private static final List<String> OF_REQUEST =
      List.of("method", "body", "success", "response_schema", "result", CallbackWait.KEY);
  private static final List<String> OF_FUNCTION = List.of("state_keys");
  private final HttpCalls calls;
  private final Secrets secrets;
  private final ReleasedSecrets released;
  private final CallbackSettings callbacks;

  public HttpNodeType(
      HttpCalls calls,
      Expressions expressions,
      Secrets secrets,
      ReleasedSecrets released,
      CallbackSettings callbacks) {
    super("http", expressions);
    this.calls = calls;
    this.secrets = secrets;
    this.released = released;
    this.callbacks = callbacks;
  }

  @Override
  protected Supplier<NodeRunner> read(NodeConfig config) {
    var url = config.template("url");
    checkUrl(config);
    checkHeaders(config);
    var headers = headers(config);
    var mode = mode(config);
    var follow =
        config.node().config().isTrue("follow_redirects")
            ? Redirects.Follow.YES
            : Redirects.Follow.NO;
    var callback = CallbackWait.of(config, callbacks);
    return () -> new HttpNode(url, headers, mode, follow, calls, secrets, callback);
  }

  private Headers headers(NodeConfig config) {
    var headers = config.node().config().findObject("headers");
    var secret = SecretHeaders.of(headers.orElse(ObjectValue.empty()), config, released);
    var configured =
        headers
            .map(it -> config.template("headers", secret.without(it)))
            .orElseGet(() -> config.template("headers"));
    return new Headers(configured, secret);
  }

  private static Mode mode(NodeConfig config) {
    boolean request = config.isText("mode", "request");
    refuse(config, request ? OF_FUNCTION : OF_REQUEST, request ? "function" : "request");
    if (!request) {
      return new FunctionMode(stateKeys(config), config.node().config().minus("headers"));
    }
    return new RequestMode(
        config.text("method").orElseThrow(),
        config.template("body"),
        config.condition("success"),
        config.schema("response_schema"),
        ResultTemplate.orOwnChannel(config, channelProblem(config.node(), config.graph())),
        config.has(CallbackWait.KEY)
            ? RequestMode.AnswerKind.BY_CALLBACK
            : RequestMode.AnswerKind.BY_REPLY);
  }

  private static Optional<Violation> channelProblem(Node node, GraphOutline graph) {
    return NodeConfig.channelProblem(
        node.id().value(),
        graph,
        "say what becomes of the response, {} for nothing",
        "without result the response goes to channel '%s', which");
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
    return config.find("state_keys").map(_ -> config.node().config().texts("state_keys"));
  }

  private static void checkUrl(NodeConfig config) {
    try {
      config.literal("url").ifPresent(Urls::parse);
    } catch (BadRequestException e) {
      config.refuse("url", "invalid_value", String.valueOf(e.getMessage()));
    }
  }

  private static void checkHeaders(NodeConfig config) {
    var seen = new HashSet<String>();
    for (var name : config.node().config().objectOrEmpty("headers").asMap().keySet()) {
      var at = Pointer.child("headers", name);
      Headers.refusal(name).ifPresent(it -> config.refuse(at, "invalid_value", it));
      if (!seen.add(name.toLowerCase(Locale.ROOT))) {
        config.refuse(at, "duplicate", Headers.twice(name));
      }
    }
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    return result(node.config()) == null
        ? WrittenChannels.named(node.id().value())
        : super.writes(node, graph);
  }

  @Override
  public void advise(Node node, GraphOutline graph, Location at) {
    var config = node.config();
    if (config.get("url") instanceof Value.Text(var url) && SecretUse.isNamedIn(url)) {
      at.key("url").error("secret_in_url", SecretUse.IN_URL);
    }
    if (isRequest(config) && !config.has("result")) {
      channelProblem(node, graph).ifPresent(at.key("result")::error);
    }
  }

  private static boolean isRequest(ObjectValue config) {
    return config.isText("mode", "request");
  }

  @Override
  protected @Nullable Value result(ObjectValue config) {
    return isRequest(config) ? super.result(config) : COMPUTED;
  }

  @Override
  public boolean mayRoute(ObjectValue config) {
    return !isRequest(config) || config.has("result");
  }
}
