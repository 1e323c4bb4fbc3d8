package dev.superstep.client;

import dev.superstep.client.model.Answer;
import dev.superstep.client.model.Interrupt;
import dev.superstep.client.model.ResumeRun;
import dev.superstep.client.model.Run;
import dev.superstep.client.model.StartRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Runs: start, wait, follow, answer.
public final class Runs extends RunsOperations {

  /// What answers a question that it leaves open.
  public static final Object LEAVE_OPEN = new Object();

  /// Below what proxies commonly cut off, and below what the service allows.
  private static final Duration SLICE = Duration.ofSeconds(30);

  private static final Set<Run.Status> AT_REST =
      Set.of(
          Run.Status.SUCCEEDED, Run.Status.FAILED, Run.Status.CANCELLED, Run.Status.INTERRUPTED);

  Runs(Transport transport) {
    super(transport);
  }

  /// How long to wait, and who answers. Without answers, or with no question answered, a wait ends
  /// with the run as interrupted.
  ///
  /// @param timeout [RunTimeoutException] after so long; null: never
  public record Waiting(Duration timeout, Function<Interrupt, Object> answers) {
    public static Waiting forever() {
      return new Waiting(null, it -> LEAVE_OPEN);
    }

    public static Waiting upTo(Duration timeout) {
      return new Waiting(timeout, it -> LEAVE_OPEN);
    }

    /// @param answers the answer to a question, null being one too, or [Runs#LEAVE_OPEN]
    public Waiting answering(Function<Interrupt, Object> answers) {
      return new Waiting(timeout, answers);
    }
  }

  /// Whether nothing happens in a run until somebody does something.
  public static boolean isAtRest(Run run) {
    return AT_REST.contains(run.status());
  }

  /// Starts a run and waits until it is at rest, however long that takes.
  public Run run(StartRun body) {
    return run(body, Waiting.forever());
  }

  public Run run(StartRun body, Waiting waiting) {
    var clock = new Clock(waiting.timeout());
    return settle(start(body, StartOptions.of().withWait(clock.slice())), clock, waiting);
  }

  /// Waits until a run is at rest.
  public Run await(String runId) {
    return await(runId, Waiting.forever());
  }

  public Run await(String runId, Waiting waiting) {
    var clock = new Clock(waiting.timeout());
    return settle(get(runId, GetOptions.of().withWait(clock.slice())), clock, waiting);
  }

  /// Answers the only open question of a run, and waits until it is at rest again.
  public Run answer(String runId, Object value) {
    return answer(runId, value, Waiting.forever());
  }

  public Run answer(String runId, Object value, Waiting waiting) {
    var clock = new Clock(waiting.timeout());
    return settle(answered(runId, List.of(Answer.of(value)), clock), clock, waiting);
  }

  /// The events of a run, from its first one, until it is at rest. Close it.
  public RunStream stream(String runId) {
    return stream(runId, StreamOptions.of());
  }

  public RunStream stream(String runId, StreamOptions options) {
    return new RunStream(transport, RunStream.follow(runId, options), runId, options);
  }

  /// Starts a run, once its first event is asked for, and misses nothing of it. Close it.
  public RunStream startStream(StartRun body) {
    return startStream(body, StreamOptions.of());
  }

  public RunStream startStream(StartRun body, StreamOptions options) {
    return new RunStream(transport, RunStream.start(body, options), "", options);
  }

  private Run settle(Run seen, Clock clock, Waiting waiting) {
    var run = seen;
    while (true) {
      while (!isAtRest(run)) {
        if (clock.isOver()) {
          throw new RunTimeoutException(run);
        }
        run = get(run.id(), GetOptions.of().withWait(clock.slice()));
      }
      var answers = answers(run, waiting);
      if (answers.isEmpty()) {
        return run;
      }
      run = answered(run.id(), answers, clock);
    }
  }

  private Run answered(String runId, List<Answer> answers, Clock clock) {
    return resume(
        runId,
        ResumeRun.of().withAnswers(answers),
        ResumeOptions.of().withWait(clock.slice()));
  }

  private static List<Answer> answers(Run run, Waiting waiting) {
    var answers = new ArrayList<Answer>();
    if (run.status() == Run.Status.INTERRUPTED) {
      for (var interrupt : run.interrupts()) {
        var value = waiting.answers().apply(interrupt);
        if (value != LEAVE_OPEN) {
          answers.add(Answer.of(value).withInterruptId(interrupt.id()));
        }
      }
    }
    return answers;
  }

  /// How much of the time to wait is left.
  private static final class Clock {
    private final Duration timeout;
    private final long begin = System.nanoTime();

    Clock(Duration timeout) {
      this.timeout = timeout;
    }

    String slice() {
      var left = left();
      return (left.compareTo(SLICE) < 0 ? left : SLICE).toMillis() + "ms";
    }

    boolean isOver() {
      return left().isZero();
    }

    private Duration left() {
      if (timeout == null) {
        return SLICE;
      }
      var left = timeout.minusNanos(System.nanoTime() - begin);
      return left.toMillis() <= 0 ? Duration.ZERO : left;
    }
  }
}
