package dev.superstep.model;

import dev.superstep.engine.Foreground;
import java.io.IOException;
import java.time.Instant;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/// What stands between the clients of OpenAI and Anthropic and the network: it puts the key of this
/// moment on each request, so that the clients never hold one, hands on failures as they came, and
/// closes connections that nobody waits for.
final class Wire implements Interceptor {
  private static final long EXCERPT_BYTES = 16_384;
  private final Key key;
  private final String header;
  private final String prefix;
  private final Lines lines;

  private Wire(Key key, String header, String prefix, Lines lines) {
    this.key = key;
    this.header = header;
    this.prefix = prefix;
    this.lines = lines;
  }

  /// A key as OpenAI and most others want it.
  static Wire bearer(Key key, Lines lines) {
    return new Wire(key, "Authorization", "Bearer ", lines);
  }

  static Wire anthropic(Key key, Lines lines) {
    return new Wire(key, "X-Api-Key", "", lines);
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    connect(chain);
    var request = chain.request().newBuilder().removeHeader(header).removeHeader(Lines.HEADER);
    key.now().ifPresent(it -> request.header(header, prefix + it));
    var response = proceed(chain, request.build());
    if (response.isSuccessful()) {
      return response;
    }
    try (response) {
      throw new HttpStatusException(
          response.code(),
          response.peekBody(EXCERPT_BYTES).string(),
          RetryAfter.parse(response.header("Retry-After"), Instant.now()));
    }
  }

  private static Response proceed(Chain chain, Request request) throws IOException {
    try (var _ = Foreground.outside()) {
      return chain.proceed(request);
    }
  }

  private void connect(Chain chain) throws IOException {
    var id = chain.request().header(Lines.HEADER);
    if (id != null) {
      lines
          .find(id)
          .orElseThrow(() -> new IOException("nobody waits for the answer"))
          .connected(() -> chain.call().cancel());
    }
  }
}
