package dev.superstep.model;

import java.io.IOException;
import java.time.Instant;
import okhttp3.Interceptor;
import okhttp3.Response;

/// What stands between the clients of OpenAI and Anthropic and the network: it puts the key of this
/// moment on each request, so that the clients never hold one, and hands on failures as they came.
final class Wire implements Interceptor {
  private static final long EXCERPT_BYTES = 16_384;
  private final Key key;
  private final String header;
  private final String prefix;

  private Wire(Key key, String header, String prefix) {
    this.key = key;
    this.header = header;
    this.prefix = prefix;
  }

  /// A key as OpenAI and most others want it.
  static Wire bearer(Key key) {
    return new Wire(key, "Authorization", "Bearer ");
  }

  static Wire anthropic(Key key) {
    return new Wire(key, "X-Api-Key", "");
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    var request = chain.request().newBuilder().removeHeader(header);
    key.now().ifPresent(it -> request.header(header, prefix + it));
    var response = chain.proceed(request.build());
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
}
