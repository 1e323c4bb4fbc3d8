package dev.superstep.run.web.stream;

import dev.superstep.run.view.EventView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Live events that wait for their place among the stored ones: behind the commit of the superstep
/// before theirs, and before that of their own. What comes later than that is dropped, for the
/// state says by then what they led to.
final class PendingEvents {
  private static final Set<String> ENDS =
      Set.of("run.interrupted", "run.waiting", "run.failed", "run.succeeded", "run.cancelled");

  private final Deque<EventView> waiting = new ArrayDeque<>();

  /// Of the last commit that was seen.
  private int committed = -1;

  /// Stored events were read since events of this superstep came.
  private int caughtUp = -1;

  /// Whether a run comes to rest with it, or to sleep.
  static boolean isEnd(EventView stored) {
    return ENDS.contains(stored.event().type());
  }

  /// Whether it says that a superstep was committed.
  static boolean isCommit(EventView stored) {
    return stored.event().type().equals("superstep.committed");
  }

  void add(List<EventView> events) {
    waiting.addAll(events);
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /// Whether stored events have to be read before all of them can go.
  boolean isAhead() {
    return newest() > caughtUp;
  }

  private int newest() {
    return waiting.stream().mapToInt(PendingEvents::superstep).max().orElse(-1);
  }

  /// Stored events are about to be read.
  void catchUp() {
    caughtUp = Math.max(caughtUp, newest());
  }

  /// The last superstep whose live events go before one of these. What is ahead of them had better
  /// wait where there is a bound.
  static int reach(List<EventView> stored) {
    return stored.stream().mapToInt(PendingEvents::reach).max().orElse(-1);
  }

  private static int reach(EventView stored) {
    var superstep = stored.event().superstep();
    if (isEnd(stored)) {
      // if it goes on, it is with the same superstep, the one behind the last committed
      return superstep.map(it -> it + 1).orElse(Integer.MAX_VALUE);
    }
    return superstep.orElse(-1);
  }

  /// Those that go before a stored event.
  List<EventView> before(EventView stored) {
    int last = reach(stored);
    if (isEnd(stored)) {
      caughtUp = -1;
    }
    var before = take(it -> superstep(it) <= last);
    if (isCommit(stored)) {
      committed = Math.max(committed, last);
    }
    return before;
  }

  /// Those that can go now.
  List<EventView> ready() {
    return take(it -> superstep(it) <= caughtUp);
  }

  private List<EventView> take(Predicate<EventView> wanted) {
    var taken = new ArrayList<EventView>();
    for (var each = waiting.iterator(); each.hasNext(); ) {
      var event = each.next();
      if (superstep(event) <= committed) {
        each.remove();
      } else if (wanted.test(event)) {
        each.remove();
        taken.add(event);
      }
    }
    return taken;
  }

  private static int superstep(EventView event) {
    return event.event().superstep().orElse(0);
  }
}
