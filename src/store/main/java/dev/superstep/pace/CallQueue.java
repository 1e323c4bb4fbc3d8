package dev.superstep.pace;

import dev.superstep.model.ModelLimits;
import dev.superstep.model.ModelPace.CallTurn;
import dev.superstep.model.ModelPace.Grant;
import dev.superstep.model.ModelPace.PacedCall;
import dev.superstep.pace.UsedAllowance.Amount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The queue of one model: decides which calls go, and when the others ask again. Confined to the
/// transaction that holds the lock of the model.
///
/// Only what begins now is taken from the allowance. One that waits has a place, and a time that
/// follows from it; should others before it vanish, nothing is lost but the wait for that time. So
/// it asks again half-way, and not too seldom. One that does not come at its time is passed over.
///
/// Tenants take turns (start-time fair queueing, Goyal et al. 1996): the next call of one gets the
/// turn behind its last, but none before that of the call that went last.
final class CallQueue {
  /// A call that may go after no longer than this does not leave.
  static final long SHORT = 250;

  /// So much before its time a call asks, to be there.
  private static final long LEAD = 150;

  /// Waits up to this are slept to their end.
  private static final long NEAR = 2_000;

  /// By how much a call may be late before it is passed over.
  private static final long GRACE = 2_000;

  /// The longest pause until a call asks again, and what each call in the queue adds to it: at most
  /// fifty a second ask.
  private static final long PAUSE_MAX = 5_000;

  private static final long PAUSE_PER_CALL = 20;
  private static final long SLOT_PAUSE = 500;

  private final ModelLimits limits;
  private final ModelState state;
  private final Map<String, WaitingCall> waiting = new HashMap<>();
  private final Map<String, Long> turns = new HashMap<>();
  private final long now;
  private long free;

  /// @param waiting all that wait, or of many those with the first turns
  /// @param running calls under a lease
  CallQueue(
      ModelLimits limits, ModelState state, List<WaitingCall> waiting, long running, long now) {
    this.limits = limits;
    this.state = state;
    this.now = now;
    free = limits.concurrency().map(it -> it - running).orElse(Long.MAX_VALUE);
    waiting.forEach(this::add);
  }

  private void add(WaitingCall call) {
    waiting.put(call.id(), call);
    turns.merge(call.tenant(), call.turn(), Math::max);
  }

  /// What was decided.
  ///
  /// @param turns by call
  /// @param queued those that are to be stored as waiting
  record Decisions(Map<String, CallTurn> turns, List<WaitingCall> queued) {}

  /// @param calls no two of one id
  Decisions decide(List<PacedCall> calls) {
    var asked = new HashMap<String, PacedCall>();
    for (var call : calls) {
      asked.put(call.id(), call);
      add(queued(call));
    }
    var decided = new Decisions(new HashMap<>(), new ArrayList<>());
    var slots = state.used().new SlotFinder(limits, Math.max(now, state.pausedUntil()));
    var order = punctual(asked.keySet());
    long first = -1;
    long place = 0;
    for (var call : order) {
      long slot = slots.next(call.tokens());
      first = first < 0 ? slot : first;
      var asks = asked.get(call.id());
      if (asks != null && place < free && slot <= now + SHORT) {
        decided.turns().put(call.id(), go(asks, call, slot));
      } else if (asks != null) {
        long pause = pause(slot, first, place - free);
        decided.turns().put(call.id(), new CallTurn.Later(Duration.ofMillis(pause)));
        decided.queued().add(call.until(now + pause));
      }
      place++;
    }
    return decided;
  }

  private WaitingCall queued(PacedCall call) {
    var before = waiting.get(call.id());
    long turn =
        before == null
            ? Math.max(state.turn(), turns.getOrDefault(call.tenant(), 0L)) + 1
            : before.turn();
    return new WaitingCall(call.id(), call.tenant(), turn, call.tokens(), now);
  }

  private List<WaitingCall> punctual(Set<String> asked) {
    var there = new HashSet<>(asked);
    return waiting.values().stream()
        .filter(it -> there.contains(it.id()) || it.until() >= now - GRACE)
        .sorted(WaitingCall.ORDER)
        .toList();
  }

  private CallTurn go(PacedCall asks, WaitingCall call, long slot) {
    state.used().add(slot, new Amount(1, asks.tokens()), now);
    state.served(call.turn());
    return new CallTurn.Now(new Grant(asks, slot), Duration.ofMillis(Math.max(0, slot - now)));
  }

  /// @param first when the first of all may go at the earliest
  /// @param behind how many before it wait for the end of a call, too; negative: none
  private long pause(long slot, long first, long behind) {
    if (behind >= 0 && slot <= now + SLOT_PAUSE) {
      long each = state.callMs() / limits.concurrency().orElse(1);
      return Math.clamp(behind * each / 2, SLOT_PAUSE, longest());
    }
    long wait = slot - now;
    if (wait <= NEAR) {
      return Math.max(wait - LEAD, 1);
    }
    // Tokens may be given back at any time.
    long earliest = limits.tokensPerMinute().isPresent() ? state.pausedUntil() : first;
    return Math.max(earliest - now - LEAD, Math.min(wait / 2, longest()));
  }

  private long longest() {
    return Math.max(PAUSE_MAX, waiting.size() * PAUSE_PER_CALL);
  }
}
