package dev.superstep.schedule;

/// Who is told what other replicas say about runs. Called on one thread; must be short.
public interface HintListener {
  /// @param sender the replica that says so
  void heard(String sender, Hints.Kind kind, String run);

  /// Another replica has told this one something.
  void told(String text);

  /// Hints may have been missed for a while.
  void missedSome();
}
