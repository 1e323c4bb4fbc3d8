package dev.superstep.run.live;

import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.task.TaskKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// How far one reader has got in the texts of tasks, so that it gets no piece twice. Not
/// thread-safe.
final class SeenTexts {
  /// Beyond this, texts of supersteps that must be over are forgotten.
  private static final int TEXTS_MAX = 1_000;

  private final Map<Place, Seen> seen = new HashMap<>();
  private int newest;

  private record Place(String run, TaskKey task) {}

  /// @param from where what was seen without a gap begins
  /// @param end of it
  private record Seen(String textId, long from, long end) {}

  /// What of a piece the reader has not seen; empty: nothing.
  Optional<MessageDelta> unseen(String run, TaskKey task, MessageDelta delta) {
    var last = seen.get(new Place(run, task));
    boolean continues =
        last != null
            && isKnown(delta)
            && last.textId().equals(delta.head().textId())
            && delta.offset() >= last.from()
            && delta.offset() < last.end();
    if (!continues || last == null) {
      return Optional.of(delta);
    }
    return delta.end() > last.end() ? Optional.of(delta.behind(last.end())) : Optional.empty();
  }

  /// The reader gets this piece.
  void add(String run, TaskKey task, MessageDelta delta) {
    if (!isKnown(delta)) {
      return;
    }
    forgetOld(task.superstep());
    seen.merge(
        new Place(run, task),
        new Seen(delta.head().textId(), delta.offset(), delta.end()),
        SeenTexts::together);
  }

  private static Seen together(Seen before, Seen piece) {
    return before.textId().equals(piece.textId()) && before.end() == piece.from()
        ? new Seen(piece.textId(), before.from(), piece.end())
        : piece;
  }

  private static boolean isKnown(MessageDelta delta) {
    return !delta.head().textId().isEmpty();
  }

  private void forgetOld(int superstep) {
    newest = Math.max(newest, superstep);
    if (seen.size() >= TEXTS_MAX) {
      seen.keySet().removeIf(it -> it.task().superstep() < newest - 1);
    }
  }
}
