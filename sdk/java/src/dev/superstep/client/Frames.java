package dev.superstep.client;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Reads server-sent events, with a limit on silence. The next bytes are asked for when those
/// before have been read, so a slow reader holds no more than one piece.
final class Frames implements Flow.Subscriber<List<ByteBuffer>>, AutoCloseable {

  /// @param id empty: the event is not stored
  /// @param data empty: the frame only moves the id on
  record Frame(String id, String data) {}

  /// The frames of a success, the text of anything else.
  record Body(Frames frames, String text) {
    @Override
    public String toString() {
      return text;
    }
  }

  private final Duration idle;
  private final BlockingQueue<Runnable> news = new LinkedBlockingQueue<>();
  private final Deque<Frame> ready = new ArrayDeque<>();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private volatile Flow.Subscription subscription;
  private volatile boolean closed;
  private boolean ended;
  private Throwable failure;
  private String id = "";
  private String data;

  private Frames(Duration idle) {
    this.idle = idle;
  }

  static HttpResponse.BodyHandler<Body> handler(Duration idle) {
    return answer -> {
      if (answer.statusCode() != 200) {
        return BodySubscribers.mapping(
            BodySubscribers.ofString(StandardCharsets.UTF_8), it -> new Body(null, it));
      }
      return BodySubscribers.mapping(
          BodySubscribers.ofPublisher(),
          it -> {
            var frames = new Frames(idle);
            it.subscribe(frames);
            return new Body(frames, "");
          });
    };
  }

  /// The next frame, or null at the end.
  Frame next() {
    while (ready.isEmpty() && !ended) {
      try {
        var piece = news.poll(idle.toMillis(), TimeUnit.MILLISECONDS);
        if (piece == null) {
          throw new ServiceUnreachableException("the stream is silent", null);
        }
        piece.run();
      } catch (InterruptedException e) {
        throw Transport.interrupted(e);
      }
    }
    if (ready.isEmpty() && failure != null) {
      throw new ServiceUnreachableException("the stream broke off: " + failure, failure);
    }
    return ready.poll();
  }

  private void read(List<ByteBuffer> buffers) {
    for (var buffer : buffers) {
      while (buffer.hasRemaining()) {
        byte next = buffer.get();
        if (next == '\n') {
          line(line.toString(StandardCharsets.UTF_8));
          line.reset();
        } else if (next != '\r') {
          line.write(next);
        }
      }
    }
    subscription.request(1);
  }

  private void line(String text) {
    if (text.isEmpty()) {
      if (!id.isEmpty() || data != null) {
        ready.add(new Frame(id, data == null ? "" : data));
      }
      id = "";
      data = null;
    } else if (text.startsWith("data:")) {
      var piece = text.substring(text.startsWith("data: ") ? 6 : 5);
      data = data == null ? piece : data + "\n" + piece;
    } else if (text.startsWith("id:")) {
      id = text.substring(3).strip();
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    if (closed) {
      given.cancel();
    } else {
      given.request(1);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    news.add(() -> read(buffers));
  }

  @Override
  public void onError(Throwable thrown) {
    news.add(() -> {
      ended = true;
      failure = thrown;
    });
  }

  @Override
  public void onComplete() {
    news.add(() -> ended = true);
  }

  @Override
  public void close() {
    closed = true;
    var current = subscription;
    if (current != null) {
      current.cancel();
    }
  }
}
