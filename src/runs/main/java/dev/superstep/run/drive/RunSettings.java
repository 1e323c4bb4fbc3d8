package dev.superstep.run.drive;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Limits of the work of one replica and of the queue of a thread, and intervals at which it polls.
///
/// @param runs limits of the runs that one replica drives
/// @param tasks limits of the tasks that one replica executes
/// @param takeoversMax takeovers in succession that a run survives, with nothing committed or
///   recorded in between; the next one fails it as `poison_run`
/// @param threads limits of threads
/// @param newsPoll how often to poll for answers and cancels that arrived at other replicas
/// @param watchPoll how often to poll, for waiting clients, a run that other replicas notify about;
///   at most 300 ms if they cannot
@ConfigurationProperties("superstep")
public record RunSettings(
    @DefaultValue Runs runs,
    @DefaultValue Tasks tasks,
    @DefaultValue Threads threads,
    @DefaultValue("2") int takeoversMax,
    @DefaultValue("500ms") Duration newsPoll,
    @DefaultValue("2s") Duration watchPoll) {
  private static final Duration POLL_MIN = Duration.ofMillis(1);
  private static final Duration POLL_MAX = Duration.ofDays(1);

  public RunSettings {
    new Setting("superstep.takeovers-max").within(1, 1_000_000, takeoversMax);
    new Setting("superstep.news-poll").within(POLL_MIN, POLL_MAX, newsPoll);
    new Setting("superstep.watch-poll").within(POLL_MIN, POLL_MAX, watchPoll);
  }

  /// @param max runs driven by this replica at a time
  /// @param foreground threads of them that hold a work permit at a time, commits included; threads
  ///   that return from a model, a service or a wait queue for one
  /// @param turn how long a run keeps its place while other runs wait for one and there is none
  public record Runs(
      @DefaultValue("1000") int max,
      @DefaultValue("64") int foreground,
      @DefaultValue("5s") Duration turn) {
    public Runs {
      new Setting("superstep.runs.max").within(1, 1_000_000, max);
      new Setting("superstep.runs.foreground").within(1, 1_000_000, foreground);
      new Setting("superstep.runs.turn").within(POLL_MIN, POLL_MAX, turn);
    }
  }

  /// @param queueMax runs that may wait for one thread to be free
  public record Threads(@DefaultValue("200") int queueMax) {
    public Threads {
      new Setting("superstep.threads.queue-max").within(1, 10_000, queueMax);
    }
  }

  /// @param max node calls of this replica at a time
  record Tasks(@DefaultValue("512") int max) {
    Tasks {
      new Setting("superstep.tasks.max").within(1, 1_000_000, max);
    }
  }
}
