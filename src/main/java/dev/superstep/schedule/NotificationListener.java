package dev.superstep.schedule;

/// Who is told what other replicas say about runs. Called on one thread; must be short.
public interface NotificationListener {
  /// @param sender the replica that says so
  void onNotification(String sender, ReplicaNotifications.Kind kind, String run);

  /// Another replica has told this one something.
  void onLiveText(String text);

  /// Hints may have been missed for a while.
  void missedSome();
}
