package dev.superstep.run.stream;

import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.run.EventView;
import dev.superstep.state.value.Canonical;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Buffers live events until they are drained, in the order of each task. Pieces of one text are
/// joined while they wait, so that infrequent readers take few events; what a reader has taken of a
/// text it does not get again. Its size in bytes is bounded. Not thread-safe.
final class LiveEventBuffer {
  /// About what an event takes besides its data.
  private static final int EVENT_BYTES = 200;

  private final long bytesMax;
  private final List<Waiting> waiting = new ArrayList<>();

  /// The piece, per task, to which the next one may be appended.
  private final Map<BufferKey, Waiting> open = new HashMap<>();

  private final SeenTexts seenTexts = new SeenTexts();
  private long bytes;

  public LiveEventBuffer(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  private record BufferKey(String run, TaskKey task) {}

  /// @param size of an event that is complete
  /// @param text of a piece that may grow; null: the event is complete
  private record Waiting(EventView first, long size, @Nullable Piece text) {
    EventView event() {
      return text == null ? first : text.event(first);
    }

    long bytes() {
      return EVENT_BYTES + (text == null ? size : text.text.length());
    }

    boolean isBehind(int superstep) {
      return first.event().superstep().orElse(0) > superstep;
    }
  }

  /// A text that grows.
  private static final class Piece {
    private final MessageDelta first;
    private final StringBuilder text;
    private long end;

    Piece(MessageDelta first) {
      this.first = first;
      this.text = new StringBuilder(first.text());
      this.end = first.end();
    }

    boolean takes(MessageDelta next) {
      if (!next.head().equals(first.head()) || next.offset() != end) {
        return false;
      }
      text.append(next.text());
      end = next.end();
      return true;
    }

    EventView event(EventView view) {
      return with(
          view, new MessageDelta(first.head(), first.offset(), text.toString(), first.portion()));
    }
  }

  private static EventView with(EventView view, MessageDelta delta) {
    var it = view.event();
    var event = new Event(it.type(), it.superstep(), it.node(), it.dispatchId(), delta.data());
    return new EventView(view.seq(), view.run(), view.at(), event);
  }

  /// @return false if there is no room for it
  public boolean add(EventView event) {
    var place = place(event);
    var delta = MessageDelta.of(event.event());
    if (delta.isPresent()) {
      return add(event, place, delta.get());
    }
    long needed = size(event);
    if (bytes + needed > bytesMax) {
      return false;
    }
    waiting.add(new Waiting(event, needed, null));
    open.remove(place);
    bytes += needed + EVENT_BYTES;
    return true;
  }

  private boolean add(EventView event, BufferKey place, MessageDelta whole) {
    var unseen = seenTexts.unseen(place.run(), place.task(), whole);
    if (unseen.isEmpty()) {
      return true;
    }
    var delta = unseen.get();
    long needed = delta.text().length();
    if (bytes + needed > bytesMax) {
      return false;
    }
    seenTexts.add(place.run(), place.task(), delta);
    if (!joins(place, delta)) {
      var added = new Waiting(with(event, delta), needed, new Piece(delta));
      needed += EVENT_BYTES;
      waiting.add(added);
      open.put(place, added);
    }
    bytes += needed;
    return true;
  }

  private boolean joins(BufferKey place, MessageDelta delta) {
    var last = open.get(place);
    return last != null && last.text() != null && last.text().takes(delta);
  }

  private static long size(EventView event) {
    return Canonical.size(event.event().data());
  }

  private static BufferKey place(EventView event) {
    var it = event.event();
    var node = it.node().orElse(NodeId.START);
    return new BufferKey(
        event.run(), new TaskKey(it.superstep().orElse(0), node, it.dispatchId().orElse(null)));
  }

  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /// Takes all events.
  public List<EventView> drain() {
    var taken = waiting.stream().map(Waiting::event).toList();
    clear();
    return taken;
  }

  /// Takes the events of a superstep and of earlier ones; the remaining texts can still grow.
  public List<EventView> drain(int superstep) {
    if (waiting.stream().allMatch(it -> it.isBehind(superstep))) {
      return List.of();
    }
    var taken = waiting.stream().filter(it -> !it.isBehind(superstep)).toList();
    waiting.removeIf(it -> !it.isBehind(superstep));
    open.values().removeIf(it -> !it.isBehind(superstep));
    bytes -= taken.stream().mapToLong(Waiting::bytes).sum();
    return taken.stream().map(Waiting::event).toList();
  }

  /// Drops all events.
  public void clear() {
    waiting.clear();
    open.clear();
    bytes = 0;
  }

  /// How far one reader has got in the texts of tasks, so that it gets no piece twice. Not
  /// thread-safe.
  private static final class SeenTexts {
    /// Beyond this, texts of supersteps that must be over are forgotten.
    private static final int TEXTS_MAX = 1_000;

    private final Map<SeenKey, SeenText> seen = new HashMap<>();
    private int newest;

    private record SeenKey(String run, TaskKey task) {}

    /// @param from where what was seen without a gap begins
    /// @param end of it
    private record SeenText(String textId, long from, long end) {}

    /// What of a piece the reader has not seen; empty: nothing.
    Optional<MessageDelta> unseen(String run, TaskKey task, MessageDelta delta) {
      var last = seen.get(new SeenKey(run, task));
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
          new SeenKey(run, task),
          new SeenText(delta.head().textId(), delta.offset(), delta.end()),
          SeenTexts::together);
    }

    private static SeenText together(SeenText before, SeenText piece) {
      return before.textId().equals(piece.textId()) && before.end() == piece.from()
          ? new SeenText(piece.textId(), before.from(), piece.end())
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
}
