package dev.superstep.node.tool;

import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse.BodyHandler;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/// Builds an HTTP client with bounded answers, for libraries that accept a client builder only, and
/// do not close what they have had built: it is the same one each time.
final class BoundedClients implements HttpClient.Builder {
  private final HttpClient.Builder builder;
  private final AnswerBounds bounds;
  private @Nullable HttpClient built;

  /// @param builder of the client within
  BoundedClients(HttpClient.Builder builder, AnswerBounds bounds) {
    this.builder = builder;
    this.bounds = bounds;
  }

  @Override
  public synchronized HttpClient build() {
    var client = built;
    if (client == null) {
      client = new BoundedAnswers(builder.build(), bounds);
      built = client;
    }
    return client;
  }

  @Override
  public HttpClient.Builder cookieHandler(CookieHandler handler) {
    builder.cookieHandler(handler);
    return this;
  }

  @Override
  public HttpClient.Builder connectTimeout(Duration duration) {
    builder.connectTimeout(duration);
    return this;
  }

  @Override
  public HttpClient.Builder sslContext(SSLContext context) {
    builder.sslContext(context);
    return this;
  }

  @Override
  public HttpClient.Builder sslParameters(SSLParameters parameters) {
    builder.sslParameters(parameters);
    return this;
  }

  @Override
  public HttpClient.Builder executor(Executor executor) {
    builder.executor(executor);
    return this;
  }

  @Override
  public HttpClient.Builder followRedirects(Redirect policy) {
    builder.followRedirects(policy);
    return this;
  }

  @Override
  public HttpClient.Builder version(Version version) {
    builder.version(version);
    return this;
  }

  @Override
  public HttpClient.Builder priority(int priority) {
    builder.priority(priority);
    return this;
  }

  @Override
  public HttpClient.Builder proxy(ProxySelector selector) {
    builder.proxy(selector);
    return this;
  }

  @Override
  public HttpClient.Builder authenticator(Authenticator authenticator) {
    builder.authenticator(authenticator);
    return this;
  }

  /// The JDK's client with a bound on each answer, whole or streamed: the client of MCP servers
  /// reads lines, events and bodies of any length.
  private static final class BoundedAnswers extends WrappedHttpClient {
    private final AnswerBounds bounds;

    BoundedAnswers(HttpClient client, AnswerBounds bounds) {
      super(client);
      this.bounds = bounds;
    }

    @Override
    protected <T> BodyHandler<T> wrap(BodyHandler<T> handler) {
      return info -> new BoundedBody<>(handler.apply(info), bounds);
    }
  }
}
