package dev.superstep.run.stream;

import dev.superstep.engine.node.LiveEventSink;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.run.EventView;
import dev.superstep.state.value.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// Holds live events until their place among the stored ones: behind the commit of the superstep
/// before theirs, and before that of their own. Later ones are dropped, for the state contains
/// their effect by then.
final class PendingEvents {
  private static final Set<String> ENDS =
      Set.of("run.interrupted", "run.waiting", "run.failed", "run.succeeded", "run.cancelled");

  private final Deque<EventView> waiting = new ArrayDeque<>();

  /// Of the tasks that have published events in supersteps that are not committed, the last one.
  private final Map<TaskKey, String> attempts = new HashMap<>();

  /// Superstep of the last commit that was seen.
  private int committed = -1;

  /// Newest superstep whose live events came before the last read of stored events.
  private int caughtUp = -1;

  /// Whether the run comes to rest or to sleep with this event.
  static boolean isEnd(EventView stored) {
    return ENDS.contains(stored.event().type());
  }

  /// Whether the event is the commit of a superstep.
  static boolean isCommit(EventView stored) {
    return stored.event().type().equals("superstep.committed");
  }

  void add(List<EventView> events) {
    events.forEach(this::noteAttempt);
    waiting.addAll(events);
  }

  /// Stored events are read again before those of a repeated attempt are sent: a takeover has led
  /// to it, perhaps, and is stored by then.
  private void noteAttempt(EventView live) {
    var event = live.event();
    if (event.data().get(LiveEventSink.ATTEMPT_ID) instanceof Value.Text(var attempt)) {
      var node = event.node().orElse(NodeId.START);
      var task = new TaskKey(superstep(live), node, event.dispatchId().orElse(null));
      var before = attempts.put(task, attempt);
      if (before != null && !before.equals(attempt)) {
        caughtUp = Math.min(caughtUp, superstep(live) - 1);
      }
    }
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /// Whether stored events have to be read before all of them can be sent.
  boolean isAhead() {
    return newest() > caughtUp;
  }

  private int newest() {
    return waiting.stream().mapToInt(PendingEvents::superstep).max().orElse(-1);
  }

  /// Called before stored events are read.
  void catchUp() {
    caughtUp = Math.max(caughtUp, newest());
  }

  /// The last superstep whose live events are sent before one of these. Live events ahead of them
  /// had better wait in the bounded buffer.
  static int reach(List<EventView> stored) {
    return stored.stream().mapToInt(PendingEvents::reach).max().orElse(-1);
  }

  private static int reach(EventView stored) {
    var superstep = stored.event().superstep();
    if (isEnd(stored)) {
      // if the run proceeds, it is with the same superstep, the one behind the last committed
      return superstep.map(it -> it + 1).orElse(Integer.MAX_VALUE);
    }
    return superstep.orElse(-1);
  }

  /// The live events that are sent before a stored event.
  List<EventView> before(EventView stored) {
    int last = reach(stored);
    if (isEnd(stored)) {
      caughtUp = -1;
    }
    var before = take(it -> superstep(it) <= last);
    if (isCommit(stored)) {
      committed = Math.max(committed, last);
      attempts.keySet().removeIf(it -> it.superstep() <= committed);
    }
    return before;
  }

  /// The live events that can be sent now.
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
