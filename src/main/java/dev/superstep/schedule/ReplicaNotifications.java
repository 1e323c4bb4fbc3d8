package dev.superstep.schedule;

import java.util.List;

/// What replicas tell each other so that nobody has to wait for the next poll. A hint may come
/// late, twice or never: polls are the truth, and everything works without hints.
public interface ReplicaNotifications {

  /// Tells the other replicas, soon, from a thread of its own: never as part of a transaction.
  void send(Kind kind, String run);

  /// Whether hints of others arrive here.
  boolean arrive();

  /// Brings texts to one other replica, in this order, or loses them: nothing may depend on them.
  /// Takes a statement, on the caller's thread; nobody else hears them.
  ///
  /// @param replica who sent a hint, as [NotificationListener#onNotification] was told
  /// @param texts of less than [#TEXT_BYTES_MAX] bytes each, no two of them equal
  void sendLive(String replica, List<String> texts);

  /// What a notification has room for.
  int TEXT_BYTES_MAX = 7_500;

  /// What a hint is about.
  enum Kind {
    /// Runs became claimable; it does not matter which.
    QUEUED('q'),
    /// There are answers or cancels for the driver of the run.
    NEWS('n'),
    /// Something of the run was committed that somebody elsewhere waits for.
    MOVED('m'),
    /// Somebody here waits for what the run does.
    WATCHED('w'),
    /// Nobody here wants the live events of the run any more. Before the next one, so that both in
    /// one notification mean: somebody does.
    DEAF('d'),
    /// Somebody here wants the live events of the run.
    LISTENING('l');

    private final char sign;

    Kind(char sign) {
      this.sign = sign;
    }

    public char sign() {
      return sign;
    }
  }
}
