package dev.superstep.model;

import dev.superstep.engine.Foreground;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;

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
    try (var _ = Foreground.outside()) {
      return answer(chain, request.build());
    }
  }

  private Response answer(Chain chain, Request request) throws IOException {
    var answered = chain.proceed(request);
    var response = answered.newBuilder().body(AnswerLimit.on(answered.body())).build();
    if (response.isSuccessful()) {
      return isWhole(response) ? read(response, line(chain)) : response;
    }
    try (response) {
      throw new HttpStatusException(
          response.code(),
          response.peekBody(EXCERPT_BYTES).string(),
          RetryAfter.parse(response.header("Retry-After"), Instant.now()));
    }
  }

  private static boolean isWhole(Response response) {
    var type = response.body().contentType();
    return type != null && type.subtype().equals("json");
  }

  /// Some providers send the head of an answer long before the rest.
  private static Response read(Response response, Optional<Line> line) throws IOException {
    try (var body = response.body()) {
      var bytes = body.bytes();
      line.ifPresent(Line::answered);
      return response.newBuilder().body(ResponseBody.create(bytes, body.contentType())).build();
    }
  }

  private void connect(Chain chain) throws IOException {
    if (chain.request().header(Lines.HEADER) != null) {
      line(chain)
          .orElseThrow(() -> new IOException("nobody waits for the answer"))
          .connected(() -> chain.call().cancel());
    }
  }

  private Optional<Line> line(Chain chain) {
    return Optional.ofNullable(chain.request().header(Lines.HEADER)).flatMap(lines::find);
  }
}
