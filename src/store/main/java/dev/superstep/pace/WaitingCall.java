package dev.superstep.pace;

import java.util.Comparator;

/// A call in the queue of its model.
///
/// @param until it asks again then, in ms
record WaitingCall(String id, String tenant, long turn, long tokens, long until) {
  static final Comparator<WaitingCall> ORDER =
      Comparator.comparingLong(WaitingCall::turn).thenComparing(WaitingCall::id);

  WaitingCall until(long changed) {
    return new WaitingCall(id, tenant, turn, tokens, changed);
  }
}
