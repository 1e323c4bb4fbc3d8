package dev.superstep.node.tool;

import dev.superstep.json.Json;
import dev.superstep.node.http.Outbound;
import dev.superstep.secret.CallerTokens;
import dev.superstep.secret.CallerTokens.TokenSearch;
import dev.superstep.secret.Secrets;
import dev.superstep.secret.SecretsOfCall;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/// A tool that calls a web service of the operator or of a graph's author, as HTTP nodes call
/// theirs: within the egress policy, without redirects.
record HttpTool(
    ToolSettings.Http settings,
    Description description,
    Outbound outbound,
    Secrets secrets,
    HeaderValues values,
    CallerTokens tokens)
    implements Tool {
  static final Pattern PLACEHOLDER = Pattern.compile("\\{([A-Za-z_][A-Za-z0-9_.-]*)}");
  private static final String CALLBACK_URL = "Callback-Url";
  private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

  static HttpTool of(
      String name, ToolSettings all, Outbound outbound, Secrets secrets, CallerTokens tokens) {
    var settings = Objects.requireNonNull(all.http().get(name));
    return new HttpTool(
        settings,
        new Description(
            name, settings.description(), settings.schema(), all.execution(name), "http"),
        outbound,
        secrets,
        (value, _, sent) -> sent.value(value),
        tokens);
  }

  /// The resolved value of a configured header.
  @FunctionalInterface
  interface HeaderValues {
    /// @param graph that calls, as rows have it
    String value(String configured, String graph, SecretsOfCall sent);
  }

  @Override
  public TokenSearch token(String run) throws InterruptedException {
    var wanted = settings.onBehalfOf();
    return wanted == null ? new TokenSearch.NotNeeded() : tokens.find(run, wanted);
  }

  @Override
  public Outcome call(Invocation invocation) throws InterruptedException {
    if (settings.onBehalfOf() != null && invocation.token().isEmpty()) {
      return new Outcome.Erred("the tool is called with a token, and there is none");
    }
    var sent = secrets.ofCall();
    var placeholders =
        PLACEHOLDER.matcher(settings.url()).results().map(it -> it.group(1)).toList();
    for (var name : placeholders) {
      if (leadsElsewhere(invocation.arguments().getOr(name, Value.of("")))) {
        return new Outcome.Erred("argument '%s' must not be empty, '.' or '..'".formatted(name));
      }
    }
    var url = url(invocation.arguments());
    var rest = invocation.arguments();
    for (var name : placeholders) {
      rest = rest.minus(name);
    }
    boolean body = WITH_BODY.contains(settings.method());
    var request =
        new Outbound.Request(
            settings.method(),
            body ? url : withQuery(url, rest),
            headers(invocation, body, sent),
            body ? Json.write(rest) : "");
    return outcome(outbound.send(request, left(invocation)), sent);
  }

  private static Outcome outcome(Outbound.OutboundAnswer answer, SecretsOfCall sent) {
    return switch (answer) {
      case Outbound.OutboundAnswer.Reply(int status, var text, _) when status < 400 ->
          new Outcome.Answered(sent.scrub(text));
      case Outbound.OutboundAnswer.Reply(int status, var text, _)
          when status >= 500 || status == 408 ->
          new Outcome.Unknown("the service answered %d: %s".formatted(status, sent.scrub(text)));
      case Outbound.OutboundAnswer.Reply(int status, var text, _) ->
          new Outcome.Erred("the service answered %d: %s".formatted(status, sent.scrub(text)));
      case Outbound.OutboundAnswer.RefusedRequest(var message) ->
          new Outcome.Erred(sent.scrub(message));
      case Outbound.OutboundAnswer.Lost(var message) -> new Outcome.Unknown(sent.scrub(message));
    };
  }

  private Duration left(Invocation invocation) {
    return invocation.left().compareTo(settings.timeout()) < 0
        ? invocation.left()
        : settings.timeout();
  }

  /// A segment of a path that would make it the path of something else.
  private static boolean leadsElsewhere(Value value) {
    return value instanceof Value.Text(var text)
        && (text.isEmpty() || text.equals(".") || text.equals(".."));
  }

  /// Encoded, no value has a character left that would mean something to the matcher.
  private String url(ObjectValue arguments) {
    return PLACEHOLDER
        .matcher(settings.url())
        .replaceAll(it -> encode(arguments.getOr(it.group(1), Value.of(""))));
  }

  private static String withQuery(String url, ObjectValue arguments) {
    if (arguments.isEmpty()) {
      return url;
    }
    var pairs =
        arguments.asMap().entrySet().stream()
            .map(it -> encode(Value.of(it.getKey())) + "=" + encode(it.getValue()))
            .toList();
    return url + (url.contains("?") ? "&" : "?") + String.join("&", pairs);
  }

  private static String encode(Value value) {
    var text = value instanceof Value.Text(var words) ? words : Json.write(value);
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private Map<String, String> headers(Invocation invocation, boolean body, SecretsOfCall sent) {
    var headers = new HashMap<String, String>();
    headers.put("Accept", "application/json, text/*");
    if (body) {
      headers.put("Content-Type", "application/json");
    }
    settings
        .headers()
        .forEach((name, value) -> headers.put(name, values.value(value, invocation.graph(), sent)));
    var key = settings.apiKey();
    if (key != null) {
      headers.put("Authorization", "Bearer " + sent.value(key));
    }
    invocation
        .token()
        .ifPresent(it -> headers.put("Authorization", "Bearer " + sent.sends(it.value())));
    headers.put("Idempotency-Key", invocation.idempotencyKey());
    invocation.callbackUrl().ifPresent(it -> headers.put(CALLBACK_URL, it));
    invocation.span().traceparent().ifPresent(it -> headers.put("traceparent", it));
    return headers;
  }
}
