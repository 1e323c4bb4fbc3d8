package dev.superstep.run.live;

import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.node.TextHead;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A text that a task of this process writes, for subscribers that come in the middle of it. One
/// that is too long, or for which there is no room, is not kept: then they get the pieces that
/// follow. Guarded by its [LiveRun].
final class KeptText {
  /// More than most models write in one answer.
  static final int CHARS_MAX = 256 * 1024;

  /// Of all texts in this process.
  static final long ALL_CHARS_MAX = 16L * 1024 * 1024;

  private final TextHead head;
  private final AtomicLong all;
  private @Nullable StringBuilder text = new StringBuilder();
  private boolean closed;
  private long end;

  /// @param all chars that are kept in this process
  KeptText(TextHead head, AtomicLong all) {
    this.head = head;
    this.all = all;
  }

  /// Adds the next piece; empty if the text is closed.
  Optional<MessageDelta> append(String piece) {
    if (closed) {
      return Optional.empty();
    }
    var delta = MessageDelta.next(head, end, piece);
    end = delta.end();
    keep(piece);
    return Optional.of(delta);
  }

  private void keep(String piece) {
    var kept = text;
    if (kept == null) {
      return;
    }
    boolean fits = kept.length() + piece.length() <= CHARS_MAX;
    if (fits && all.addAndGet(piece.length()) <= ALL_CHARS_MAX) {
      kept.append(piece);
    } else {
      all.addAndGet(-kept.length() - (fits ? piece.length() : 0L));
      text = null;
    }
  }

  /// All of it up to now; empty if there is nothing, or it is not kept.
  Optional<MessageDelta> soFar() {
    var kept = text;
    return kept == null || kept.isEmpty()
        ? Optional.empty()
        : Optional.of(MessageDelta.soFar(head, kept.toString()));
  }

  void close() {
    closed = true;
    if (text != null) {
      all.addAndGet(-text.length());
      text = null;
    }
  }
}
