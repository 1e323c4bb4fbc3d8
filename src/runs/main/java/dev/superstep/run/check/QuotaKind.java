package dev.superstep.run.check;

/// What callers and tenants have bounds on.
public enum QuotaKind {
  /// Runs that are queued, running, waiting or being cancelled.
  RUNS("runs-max"),
  /// Streams of events open at one replica.
  STREAMS("streams-max"),
  /// Bytes that are kept.
  STORED("stored-max");

  private final String setting;

  QuotaKind(String setting) {
    this.setting = setting;
  }

  /// The last part of its settings.
  String setting() {
    return setting;
  }
}
