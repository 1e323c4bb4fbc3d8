package dev.superstep.model.http;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/// An HTTP client whose answers can be aborted while they arrive: Spring's connector keeps reading
/// abandoned answers, of any length.
final class ClosableHttp extends HttpClient {
  private final HttpClient client;
  private final Supplier<CallHandle> callHandles;

  /// @param callHandles that of the call that a thread makes
  ClosableHttp(HttpClient client, Supplier<CallHandle> callHandles) {
    this.client = client;
    this.callHandles = callHandles;
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    var callHandle = callHandles.get();
    return client.sendAsync(request, it -> new Body<>(handler.apply(it), callHandle));
  }

  private static final class Body<T> implements BodySubscriber<T> {
    private final BodySubscriber<T> to;
    private final CallHandle callHandle;
    private final AnswerLimit limit = new AnswerLimit();
    private Flow.@Nullable Subscription subscription;
    private boolean ended;

    Body(BodySubscriber<T> to, CallHandle callHandle) {
      this.to = to;
      this.callHandle = callHandle;
    }

    @Override
    public CompletionStage<T> getBody() {
      return to.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      this.subscription = subscription;
      to.onSubscribe(subscription);
      callHandle.connected(subscription::cancel);
    }

    @Override
    public void onNext(List<ByteBuffer> item) {
      if (ended) {
        return;
      }
      try {
        limit.count(item.stream().mapToLong(ByteBuffer::remaining).sum());
        to.onNext(item);
      } catch (AnswerLimit.TooLongException e) {
        ended = true;
        Objects.requireNonNull(subscription).cancel();
        to.onError(e);
      }
    }

    @Override
    public void onError(Throwable failure) {
      if (!ended) {
        to.onError(failure);
      }
    }

    @Override
    public void onComplete() {
      if (!ended) {
        to.onComplete();
      }
    }
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, PushPromiseHandler<T> pushes) {
    return client.sendAsync(request, handler, pushes);
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    var callHandle = callHandles.get();
    return client.send(request, it -> new Body<>(handler.apply(it), callHandle));
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return client.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return client.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return client.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return client.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return client.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return client.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return client.authenticator();
  }

  @Override
  public Version version() {
    return client.version();
  }

  @Override
  public Optional<Executor> executor() {
    return client.executor();
  }
}
