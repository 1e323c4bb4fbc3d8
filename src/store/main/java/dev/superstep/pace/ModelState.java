package dev.superstep.pace;

/// What all replicas know of a model that has limits. Mutable; confined to one transaction.
final class ModelState {
  /// How much of the mean a call is.
  private static final int MEAN_OF = 8;

  private static final int CALL_MS_MAX = 3_600_000;

  private final UsedAllowance used;
  private long turn;
  private long pausedUntil;
  private int callMs;

  /// @param turn of the call that went last
  /// @param pausedUntil in ms; 0: never
  /// @param callMs how long a call takes, on average
  ModelState(UsedAllowance used, long turn, long pausedUntil, int callMs) {
    this.used = used;
    this.turn = turn;
    this.pausedUntil = pausedUntil;
    this.callMs = callMs;
  }

  UsedAllowance used() {
    return used;
  }

  long turn() {
    return turn;
  }

  long pausedUntil() {
    return pausedUntil;
  }

  int callMs() {
    return callMs;
  }

  void served(long served) {
    turn = Math.max(turn, served);
  }

  void pauseUntil(long until) {
    pausedUntil = Math.max(pausedUntil, until);
  }

  void took(long ms) {
    long each = Math.clamp(ms, 1, CALL_MS_MAX);
    callMs = Math.toIntExact(callMs + (each - callMs) / MEAN_OF);
  }
}
