package dev.superstep.model.http;

import dev.superstep.engine.pool.WorkPermits;
import java.io.IOException;
import java.util.Optional;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;

/// Intercepts the requests of the OpenAI and Anthropic clients: adds the current key to each, so
/// that the clients never hold one, passes failures on unchanged, and closes connections of
/// abandoned calls.
public final class ModelHttpTransport implements Interceptor {
  private static final long EXCERPT_BYTES = 16_384;
  private final ApiKey apiKey;
  private final String header;
  private final String prefix;
  private final CallRegistry callRegistry;

  private ModelHttpTransport(
      ApiKey apiKey, String header, String prefix, CallRegistry callRegistry) {
    this.apiKey = apiKey;
    this.header = header;
    this.prefix = prefix;
    this.callRegistry = callRegistry;
  }

  /// A key as OpenAI and most others want it.
  public static ModelHttpTransport bearer(ApiKey apiKey, CallRegistry callRegistry) {
    return new ModelHttpTransport(apiKey, "Authorization", "Bearer ", callRegistry);
  }

  public static ModelHttpTransport anthropic(ApiKey apiKey, CallRegistry callRegistry) {
    return new ModelHttpTransport(apiKey, "X-Api-Key", "", callRegistry);
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    connect(chain);
    var request =
        chain.request().newBuilder().removeHeader(header).removeHeader(CallRegistry.HEADER);
    apiKey.now().ifPresent(it -> request.header(header, prefix + it));
    try (var _ = WorkPermits.releaseDuringIo()) {
      return answer(chain, request.build());
    }
  }

  private Response answer(Chain chain, Request request) throws IOException {
    var answered = chain.proceed(request);
    var response = answered.newBuilder().body(AnswerLimit.on(answered.body())).build();
    if (response.isSuccessful()) {
      return isWhole(response) ? read(response, callHandle(chain)) : response;
    }
    try (response) {
      throw HttpStatusException.answered(
          response.code(),
          response.peekBody(EXCERPT_BYTES).string(),
          response.header("Retry-After"));
    }
  }

  private static boolean isWhole(Response response) {
    var type = response.body().contentType();
    return type != null && type.subtype().equals("json");
  }

  /// Some providers send the head of an answer long before the rest.
  private static Response read(Response response, Optional<CallHandle> callHandle)
      throws IOException {
    try (var body = response.body()) {
      var bytes = body.bytes();
      callHandle.ifPresent(CallHandle::answered);
      return response.newBuilder().body(ResponseBody.create(bytes, body.contentType())).build();
    }
  }

  private void connect(Chain chain) throws IOException {
    if (chain.request().header(CallRegistry.HEADER) != null) {
      callHandle(chain)
          .orElseThrow(() -> new IOException("nobody waits for the answer"))
          .connected(() -> chain.call().cancel());
    }
  }

  private Optional<CallHandle> callHandle(Chain chain) {
    return Optional.ofNullable(chain.request().header(CallRegistry.HEADER))
        .flatMap(callRegistry::find);
  }
}
