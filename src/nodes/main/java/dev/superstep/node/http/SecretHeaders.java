package dev.superstep.node.http;

import dev.superstep.graph.Pointer;
import dev.superstep.node.NodeConfig;
import dev.superstep.secret.MissingSecretException;
import dev.superstep.secret.ReleasedSecrets;
import dev.superstep.secret.SecretUse;
import dev.superstep.secret.SecretsOfCall;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/// Finds the headers of a node that name secrets. Only literals of the definition count: text that
/// a template takes from state or input never names a secret.
record SecretHeaders(Map<String, SecretUse> uses, ReleasedSecrets released) {
  public SecretHeaders {
    uses = Map.copyOf(uses);
  }

  public static SecretHeaders of(ObjectValue headers, NodeConfig config, ReleasedSecrets released) {
    var uses = new HashMap<String, SecretUse>();
    headers.forEach((name, value) -> {
      if (value instanceof Value.Text(var text)) {
        SecretUse.parse(text).ifPresent(it -> uses.put(name, it));
      }
    });
    uses.forEach((name, use) ->
        released
            .refusal(use)
            .ifPresent(it -> config.refuse(Pointer.child("headers", name), "unknown_secret", it)));
    uses.forEach((name, use) ->
        released
            .refusal(use, config.graph().name())
            .ifPresent(it ->
                config.refuse(Pointer.child("headers", name), ReleasedSecrets.NOT_ALLOWED, it)));
    return new SecretHeaders(uses, released);
  }

  /// The others.
  public ObjectValue without(ObjectValue headers) {
    var rest = headers;
    for (var name : uses.keySet()) {
      rest = rest.minus(name);
    }
    return rest;
  }

  /// @param graph that calls, as rows have it
  /// @throws BadRequestException if there is no such secret, or it is not for that graph or server
  void add(Map<String, String> headers, String graph, URI url, SecretsOfCall sent) {
    try {
      uses.forEach((name, use) -> headers.put(name, released.value(use, graph, url, sent)));
    } catch (MissingSecretException e) {
      throw new BadRequestException(String.valueOf(e.getMessage()));
    }
  }
}
