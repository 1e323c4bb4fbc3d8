package dev.superstep.schedule;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/// Durable alarm clock of the cluster. Delivery is at least once: the woken replica checks the row
/// of the run.
public interface WakeUps {
  /// A wake-up that no replica has taken.
  ///
  /// @param number the wake number of the run
  /// @param caller of the run
  record Due(String run, long number, String caller) {}

  /// Wake-ups that are due, those that wait longest first.
  ///
  /// @param exceptTenants whose runs are left out
  /// @param exceptShares others whose runs are left out ([Share#text])
  List<Due> due(Collection<String> exceptTenants, Collection<String> exceptShares, int max);

  /// Wakes a replica for each run at its time or soon after, as part of the current transaction: if
  /// that rolls back, nothing is scheduled. A wake number that is already scheduled is left as it
  /// is.
  void schedule(Collection<Wake> wakes);

  /// @see #schedule(Collection)
  default void schedule(String run, long wake, Instant at, int priority) {
    schedule(List.of(new Wake(run, wake, at, priority)));
  }

  /// Schedules wake-ups that are due, as [#schedule(Collection)] does. One that is scheduled for
  /// much later than its time is moved to it.
  void reschedule(Collection<Wake> wakes);

  /// Removes a wake-up, as part of the current transaction. One that is being delivered already
  /// stays.
  void cancel(String run, long wake);

  /// Removes the wake-ups of these runs, which are about to be erased, as part of the current
  /// transaction. Those that are being delivered already find no run.
  void forget(Collection<String> runs);

  /// The replicas that are alive, or not known to be dead yet.
  Set<String> replicas();
}
