package dev.superstep.engine.run;

/// Checks this process's leases without asking the database: by its own monotonic clock, which runs
/// on while the process is stopped. A lease that may be over starts no work.
@FunctionalInterface
public interface LeaseWatch {
  LeaseWatch ALWAYS = () -> () -> true;

  /// A driver begins, with a lease that has just been taken.
  ///
  /// @return may be used by any thread
  Term begin();

  /// The time for which a lease holds; it is prolonged as long as the process is a member.
  @FunctionalInterface
  interface Term {
    /// Whether the database has confirmed it recently enough for work to be started.
    boolean holds();

    /// Whether one more piece of work may begin now. After an outage not all may at once.
    default boolean admits() {
      return true;
    }
  }
}
