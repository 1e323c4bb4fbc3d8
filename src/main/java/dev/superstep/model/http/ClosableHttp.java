package dev.superstep.model.http;

import dev.superstep.transport.WrappedHttpClient;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An HTTP client whose answers can be aborted while they arrive: Spring's connector keeps reading
/// abandoned answers, of any length.
final class ClosableHttp extends WrappedHttpClient {
  private final Supplier<CallHandle> callHandles;

  /// @param callHandles that of the call that a thread makes
  ClosableHttp(HttpClient client, Supplier<CallHandle> callHandles) {
    super(client);
    this.callHandles = callHandles;
  }

  @Override
  protected <T> BodyHandler<T> wrap(BodyHandler<T> handler) {
    var callHandle = callHandles.get();
    return it -> new Body<>(handler.apply(it), callHandle);
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
}
