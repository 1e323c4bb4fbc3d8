package dev.superstep.schedule;

import com.github.kagkarlsson.scheduler.Scheduler;

/// The two schedulers of a process, each with a table of its own: db-scheduler takes tasks it does
/// not know for leftovers, and pauses as a whole.
///
/// @param runs wakes runs; pauses while this replica is full
/// @param duties keeps the replica alive, finds dead ones, runs recurring jobs; never pauses
record Schedulers(Scheduler runs, Scheduler duties) {
  static final String RUNS_TABLE = "scheduled_tasks";
  static final String DUTIES_TABLE = "scheduled_duties";

  void start() {
    duties.start();
    runs.start();
  }

  void stop() {
    runs.stop();
    duties.stop();
  }
}
