package dev.superstep.run.live;

import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.task.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.run.view.EventView;
import dev.superstep.state.value.Canonical;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Buffers live events until they are drained, in the order of each task. Pieces of one text are
/// joined while they wait, so that infrequent readers take few events; what a reader has taken of a
/// text it does not get again. Its size in bytes is bounded. Not thread-safe.
public final class LiveEventBuffer {
  /// About what an event takes besides its data.
  private static final int EVENT_BYTES = 200;

  private final long bytesMax;
  private final List<Waiting> waiting = new ArrayList<>();

  /// The piece, per task, to which the next one may be appended.
  private final Map<Place, Waiting> open = new HashMap<>();

  private final SeenTexts seenTexts = new SeenTexts();
  private long bytes;

  public LiveEventBuffer(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  private record Place(String run, TaskKey task) {}

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

  private boolean add(EventView event, Place place, MessageDelta whole) {
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

  private boolean joins(Place place, MessageDelta delta) {
    var last = open.get(place);
    return last != null && last.text() != null && last.text().takes(delta);
  }

  private static long size(EventView event) {
    return Canonical.size(event.event().data());
  }

  private static Place place(EventView event) {
    var it = event.event();
    var node = it.node().orElse(NodeId.START);
    return new Place(
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
}
