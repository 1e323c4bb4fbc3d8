package dev.superstep.schedule;

/// What replicas tell each other so that nobody has to wait for the next poll. A hint may come
/// late, twice or never: polls are the truth, and everything works without hints.
public interface Hints {

  /// Tells the other replicas, soon, from a thread of its own: never as part of a transaction.
  void send(Kind kind, String run);

  /// Whether hints of others arrive here.
  boolean arrive();

  /// What a hint is about.
  enum Kind {
    /// Runs became claimable; it does not matter which.
    QUEUED('q'),
    /// There are answers or cancels for the driver of the run.
    NEWS('n'),
    /// Something of the run was committed that somebody elsewhere waits for.
    MOVED('m'),
    /// Somebody here waits for what the run does.
    WATCHED('w');

    private final char sign;

    Kind(char sign) {
      this.sign = sign;
    }

    char sign() {
      return sign;
    }
  }
}
