package dev.superstep.schedule;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/// Tracks whether this process has reached the database without gaps. After an outage every
/// heartbeat looks old, this process's own included; no replica is dead because of that.
public final class DatabaseContact {
  private final long allowedNanos;
  private final LongSupplier nanos;
  private long last;
  private long gapEnd;
  private ContactState seen = ContactState.NEVER;
  private boolean failing;

  private enum ContactState {
    NEVER,
    STEADY,
    GAP
  }

  /// @param allowed longest silence that is no gap
  public DatabaseContact(Duration allowed, LongSupplier nanos) {
    this.allowedNanos = allowed.toNanos();
    this.nanos = nanos;
  }

  public synchronized void made() {
    long now = nanos.getAsLong();
    if (seen != ContactState.NEVER && now - last > allowedNanos) {
      seen = ContactState.GAP;
      gapEnd = now;
    } else if (seen == ContactState.NEVER) {
      seen = ContactState.STEADY;
    }
    last = now;
    failing = false;
  }

  /// Heartbeats that were read before mean nothing any more: everybody's silence counts anew.
  public synchronized void startAnew() {
    seen = ContactState.GAP;
    gapEnd = nanos.getAsLong();
    last = gapEnd;
  }

  /// The database has refused, or has not answered in time.
  public synchronized void failed() {
    failing = true;
  }

  /// Whether the database answers, as of the last attempt, which is not long ago.
  public synchronized boolean answers(Duration silenceMax) {
    return !failing && within(silenceMax);
  }

  /// Whether there was no gap in the last `span`, so that the silence of other replicas counts.
  public synchronized boolean steadyFor(Duration span) {
    long now = nanos.getAsLong();
    if (seen == ContactState.NEVER || now - last > allowedNanos) {
      return false;
    }
    return seen == ContactState.STEADY || now - gapEnd > span.toNanos();
  }

  /// When the last gap was over; empty if there was none.
  synchronized OptionalLong gapEnd() {
    return seen == ContactState.GAP ? OptionalLong.of(gapEnd) : OptionalLong.empty();
  }

  synchronized boolean within(Duration span) {
    return seen != ContactState.NEVER && nanos.getAsLong() - last <= span.toNanos();
  }
}
