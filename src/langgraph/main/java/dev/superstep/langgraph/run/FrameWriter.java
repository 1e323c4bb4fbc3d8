package dev.superstep.langgraph.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Writes the frames of one answer, for the run and the runs inside it. Clients derive from the
/// rhythm of comments how long a silence may be: one is written between events, too.
final class FrameWriter implements Frames {
  private final OutputStream out;
  private final long commentEveryNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean closed;
  private volatile long commented = System.nanoTime();

  FrameWriter(OutputStream out, Duration commentEvery) {
    this.out = out;
    this.commentEveryNanos = commentEvery.toNanos();
  }

  @Override
  public void write(
      StreamPart part, CheckpointNamespace namespace, Optional<StreamPosition> position)
      throws IOException {
    var text = new StringBuilder("event: ").append(part.event()).append(namespace.suffix());
    text.append("\ndata: ").append(Json.write(part.data())).append('\n');
    position
        .filter(it -> namespace.isRoot() && it.isExact())
        .ifPresent(it -> text.append("id: ").append(it.text()).append('\n'));
    write(text.append('\n').toString());
  }

  /// Without an empty line: some clients take that for the end of an event, and repeat the last id.
  @Override
  public void comment() throws IOException {
    commented = System.nanoTime();
    write(":\n");
  }

  @Override
  public void flush() throws IOException {
    if (System.nanoTime() - commented >= commentEveryNanos) {
      comment();
    }
    lock.lock();
    try {
      if (!closed) {
        out.flush();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Nothing is written from now on.
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  private void write(String text) throws IOException {
    lock.lock();
    try {
      if (closed) {
        throw new IOException("the answer is complete");
      }
      out.write(text.getBytes(UTF_8));
    } finally {
      lock.unlock();
    }
  }
}
