package dev.superstep.schedule;

/// Who is told what other replicas say about runs. Called on one thread; must be short.
public interface HintListener {
  void heard(Hints.Kind kind, String run);

  /// Hints may have been missed for a while.
  void missedSome();
}
