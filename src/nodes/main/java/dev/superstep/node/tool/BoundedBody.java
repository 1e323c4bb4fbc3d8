package dev.superstep.node.tool;

import dev.superstep.engine.node.Deadline;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Passes a body on as it arrives and aborts it at its bounds.
final class BoundedBody<T> implements BodySubscriber<T> {
  private static final Logger LOG = LoggerFactory.getLogger(BoundedBody.class);

  private final BodySubscriber<T> reader;
  private final AnswerBounds bounds;
  private final AtomicBoolean ended = new AtomicBoolean();
  private long count;
  private @Nullable Deadline deadline;
  private @Nullable Subscription source;

  BoundedBody(BodySubscriber<T> reader, AnswerBounds bounds) {
    this.reader = reader;
    this.bounds = bounds;
  }

  @Override
  public CompletionStage<T> getBody() {
    return reader.getBody();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    source = subscription;
    // By then the call has been abandoned.
    deadline = Deadline.in(bounds.time(), subscription::cancel);
    reader.onSubscribe(subscription);
  }

  private boolean end() {
    if (deadline != null) {
      deadline.close();
    }
    return ended.compareAndSet(false, true);
  }

  @Override
  public void onNext(List<ByteBuffer> part) {
    count += part.stream().mapToLong(ByteBuffer::remaining).sum();
    if (count <= bounds.bytesMax()) {
      reader.onNext(part);
    } else if (end()) {
      if (source != null) {
        source.cancel();
      }
      // The client does not notify waiters for a later event of a stream; they time out.
      LOG.warn(
          "aborted an answer of MCP server '{}': it is longer than the {} bytes of" + " answer-max",
          bounds.server(),
          bounds.bytesMax());
      reader.onError(
          new IOException(
              "the answer is longer than the %d bytes of answer-max".formatted(bounds.bytesMax())));
    }
  }

  @Override
  public void onError(Throwable failure) {
    if (end()) {
      reader.onError(failure);
    }
  }

  @Override
  public void onComplete() {
    if (end()) {
      reader.onComplete();
    }
  }
}
