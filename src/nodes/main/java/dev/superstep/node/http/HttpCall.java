package dev.superstep.node.http;

import java.net.URI;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One request as it is sent.
///
/// @param headers name → value; names as sent
/// @param body null: none
record HttpCall(String method, URI uri, Map<String, String> headers, byte @Nullable [] body) {
  /// What another origin may see of the headers after a redirect.
  private static final Set<String> HARMLESS =
      Set.of(
          "accept",
          "accept-language",
          "content-type",
          "idempotency-key",
          "superstep-attempt",
          "superstep-deadline",
          "traceparent",
          "user-agent");

  public HttpCall {
    headers = Map.copyOf(headers);
  }

  /// Without a body.
  HttpCall(String method, URI uri, Map<String, String> headers) {
    this(method, uri, headers, null);
  }

  /// The request that follows a redirect. A 303 turns it into a GET (RFC 9110, 15.4.4); credentials
  /// and other headers of the author stay with their origin.
  HttpCall redirected(int status, URI target) {
    boolean fetch = status == 303 && !method.equals("HEAD");
    boolean away = !Urls.origin(uri).equals(Urls.origin(target));
    var kept = new LinkedHashMap<>(headers);
    kept.keySet().removeIf(it -> away && !HARMLESS.contains(it.toLowerCase(Locale.ROOT)));
    if (fetch) {
      kept.keySet().removeIf(it -> it.equalsIgnoreCase("content-type"));
    }
    return new HttpCall(fetch ? "GET" : method, target, kept, fetch ? null : body);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HttpCall call
        && method.equals(call.method)
        && uri.equals(call.uri)
        && headers.equals(call.headers)
        && Arrays.equals(body, call.body);
  }

  @Override
  public int hashCode() {
    return Objects.hash(method, uri, headers, Arrays.hashCode(body));
  }

  @Override
  public String toString() {
    return method + " " + Urls.origin(uri);
  }
}
