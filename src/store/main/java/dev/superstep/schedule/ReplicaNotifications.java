package dev.superstep.schedule;

import java.util.List;

/// Notifications between replicas, so that none waits for its next poll. They may come late, twice
/// or never: polls are the truth, and everything works without notifications.
public interface ReplicaNotifications {

  /// Notifies the other replicas, soon, from a thread of its own: never as part of a transaction.
  void send(NotificationKind kind, String run);

  /// Whether notifications of other replicas arrive here.
  boolean arrive();

  /// Sends texts to one other replica, in this order, or loses them: nothing may depend on them.
  /// Takes a statement, on the caller's thread; no third replica receives them.
  ///
  /// @param replica the sender passed to [NotificationListener#onNotification]
  /// @param texts of less than [#TEXT_BYTES_MAX] bytes each, no two of them equal
  void sendLive(String replica, List<String> texts);

  /// The maximum size of a text.
  int TEXT_BYTES_MAX = 7_500;

  /// What a notification is about: that there is something to look at, or what the sender wants to
  /// be notified of. A sign that the receiver does not know is ignored; its polls find the same.
  enum NotificationKind {
    /// There are due runs to look for; it does not matter which.
    DUE('q'),
    /// Something of this run has changed: look at it, if you drive it or wait for it.
    LOOK('m'),
    /// The sender waits for commits of the run.
    WATCHING('w'),
    /// The sender has no subscribers to the run's live events any more. Declared before the next
    /// one, so that both in one notification mean: it has.
    UNSUBSCRIBED('d'),
    /// The sender has one more subscriber to the run's live events, who needs the texts that are
    /// being written from their beginning. Declared before the next one, which alone would let
    /// pieces in ahead of them.
    JOINED('j'),
    /// The sender has subscribers to the run's live events.
    SUBSCRIBED('l');

    private final char sign;

    NotificationKind(char sign) {
      this.sign = sign;
    }

    public char sign() {
      return sign;
    }
  }
}
