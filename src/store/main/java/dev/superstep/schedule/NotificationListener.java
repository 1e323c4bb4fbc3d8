package dev.superstep.schedule;

/// Receives notifications from other replicas about runs, on one thread; must return quickly.
public interface NotificationListener {
  /// @param sender the replica that sent it
  /// @param kind any but `DUE`, which concerns no run
  void onNotification(String sender, ReplicaNotifications.NotificationKind kind, String run);

  /// Another replica has sent live events to this one.
  void onLiveText(String text);

  /// Notifications may have been missed for a while.
  void missedSome();
}
