package dev.superstep.langgraph.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Writes the events that one client wants and has not got. Events that are not stored carry the
/// number of the last one that is: a client that comes again with it misses nothing stored.
final class ProtocolWriter {
  private final OutputStream out;
  private final ThreadSubscription wanted;
  private final ReentrantLock lock = new ReentrantLock();
  private long seen;
  private boolean isNumbered = true;
  private long commented = System.nanoTime();

  ProtocolWriter(OutputStream out, ThreadSubscription wanted) {
    this.out = out;
    this.wanted = wanted;
    this.seen = wanted.since().orElse(-1L);
  }

  ThreadSubscription wanted() {
    return wanted;
  }

  /// @param number of a stored event of an outermost run; empty: of any other
  /// @param millis when it happened
  void write(ProtocolEvent event, Optional<EventNumber> number, long millis) throws IOException {
    lock.lock();
    try {
      if (number.isPresent()) {
        var value = number.get().value();
        isNumbered = value.isPresent();
        if (value.isPresent() && value.get() <= seen && !isRepeated(number.get())) {
          return;
        }
        seen = Math.max(seen, value.orElse(seen));
      }
      if (wanted.accepts(event)) {
        var seq = isNumbered && seen >= 0 ? Optional.of(seen) : Optional.<Long>empty();
        var data = Json.write(event.json(seq, millis));
        text("id: %s\nevent: %s\ndata: %s\n\n".formatted(event.id(), event.method(), data));
      }
    } finally {
      lock.unlock();
    }
  }

  /// What the client has got may be no part of the history any more: it is written again.
  void forget() {
    lock.lock();
    try {
      seen = -1;
    } finally {
      lock.unlock();
    }
  }

  /// Whether it shares its number with others: a message of many blocks.
  private boolean isRepeated(EventNumber number) {
    return number.part() == EventNumber.LAST - 1
        && number.value().filter(it -> it == seen).isPresent();
  }

  void comment() throws IOException {
    lock.lock();
    try {
      commented = System.nanoTime();
      text(":\n");
    } finally {
      lock.unlock();
    }
  }

  void flush() throws IOException {
    lock.lock();
    try {
      if (System.nanoTime() - commented >= StreamAnswers.COMMENTS.toNanos()) {
        comment();
      }
      out.flush();
    } finally {
      lock.unlock();
    }
  }

  private void text(String text) throws IOException {
    out.write(text.getBytes(UTF_8));
  }
}
