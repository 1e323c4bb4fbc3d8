package dev.superstep.client;

import dev.superstep.client.model.ClaimedTask;
import dev.superstep.client.model.NewTaskStep;
import dev.superstep.client.model.TaskFailure;
import dev.superstep.client.model.TaskStep;
import dev.superstep.client.model.TaskSteps;
import dev.superstep.client.model.TaskStepsRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Calls whose results are recorded before they are returned: whoever repeats the task gets them at
/// once. Steps are known by their order and names, so code between them does the same each time.
/// They are made one behind the other. What fails is thrown as a [TaskFailedException].
public final class Steps {
  static final String MISMATCH = "step_mismatch";
  private static final String NAME = "[A-Za-z][A-Za-z0-9_.-]{0,63}";
  private static final int COUNT_MAX = 1000;

  private final ClaimedTask claimed;
  private final Posting posting;
  private final List<NewTaskStep> failures = new ArrayList<>();
  private Map<Integer, TaskStep> recorded;
  private TaskFailedException mismatch;
  private int begun;
  private boolean open;

  /// @param <T> what it returns, never null
  public interface Body<T> {
    /// @param key the step's own, equal for every attempt
    T call(String key) throws Exception;
  }

  public interface Action {
    void run(String key) throws Exception;
  }

  interface Recorder {
    TaskSteps record(WorkerTask task, TaskStepsRequest body) throws InterruptedException;
  }

  interface Posting {
    TaskSteps post(TaskStepsRequest body) throws InterruptedException;

    /// Throws if nothing of the task counts any more.
    default void hold() throws InterruptedException {}

    /// The service has the task again.
    default void giveBack() throws InterruptedException {}
  }

  Steps(ClaimedTask claimed, Posting posting) {
    this.claimed = claimed;
    this.posting = posting;
  }

  /// Makes a call, again if it was in flight when its process died, or has failed.
  public <T> T run(String name, Class<T> type, Body<T> body)
      throws TaskFailedException, InterruptedException {
    return make(name, type, body, false);
  }

  /// Likewise, of a call that returns nothing.
  public void run(String name, Action action) throws TaskFailedException, InterruptedException {
    make(name, Boolean.class, key -> {
      action.run(key);
      return true;
    }, false);
  }

  /// Makes a call once at most: if its process dies meanwhile, it fails with `unknown_outcome`.
  public <T> T once(String name, Class<T> type, Body<T> body)
      throws TaskFailedException, InterruptedException {
    return make(name, type, body, true);
  }

  /// Gives the task back: whoever gets it once the time is over goes on behind this.
  public void sleep(String name, Duration duration)
      throws TaskFailedException, InterruptedException {
    made(NewTaskStep.of(name, begun).withSleep(duration.toString()), Object.class, null, true);
  }

  /// Likewise, until somebody has answered: a question is what `interrupt` is in the result of a
  /// node. [Worker#test] answers it with its `default_answer`.
  public <T> T ask(String name, Class<T> type, Map<String, ?> question)
      throws TaskFailedException, InterruptedException {
    return made(NewTaskStep.of(name, begun).withAsk(new LinkedHashMap<>(question)), type, null, true);
  }

  private <T> T make(String name, Class<T> type, Body<T> body, boolean once)
      throws TaskFailedException, InterruptedException {
    return made(NewTaskStep.of(name, begun), type, body, once);
  }

  /// @param body null: the step waits
  private <T> T made(NewTaskStep step, Class<T> type, Body<T> body, boolean once)
      throws TaskFailedException, InterruptedException {
    var name = step.name();
    if (!name.matches(NAME) || open) {
      throw new IllegalStateException(
          open ? "steps are made one behind the other" : "'" + name + "' is no name of a step");
    }
    open = true;
    try {
      return typed(next(step, body, once), type);
    } finally {
      open = false;
    }
  }

  private TaskStep next(NewTaskStep place, Body<?> body, boolean once)
      throws TaskFailedException, InterruptedException {
    posting.hold();
    int ordinal = begun++;
    var known = recorded().get(ordinal);
    if (known != null && known.status() != TaskStep.Status.WAITING) {
      return ended(known, place);
    }
    if (ordinal >= COUNT_MAX) {
      throw new TaskFailedException("too_many_steps", "a task has 1000 steps at most");
    }
    while (!failures.isEmpty()) {
      record(failures.remove(0)); // It was caught.
    }
    var begin = once ? record(place) : null;
    if (begin != null && begin.status() != TaskStep.Status.BEGUN) {
      return ended(begin, place);
    }
    posting.hold();
    Object result;
    try {
      result = plain(place.name(), body.call(claimed.idempotencyKey() + "-" + ordinal));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      var thrown = TaskFailedException.of(e);
      var failure = place.withError(thrown.failure());
      if (once) {
        return ended(record(failure), place); // It stays, and says so.
      }
      failures.add(failure);
      throw thrown;
    }
    return ended(recordResult(place, result), place);
  }

  private static Object plain(String name, Object result) throws TaskFailedException {
    if (result == null) {
      throw new IllegalStateException("step '" + name + "' has returned null");
    }
    return Transport.plain(result);
  }

  /// A result that the service does not take is a failure: its call was made.
  private TaskStep recordResult(NewTaskStep place, Object result)
      throws TaskFailedException, InterruptedException {
    try {
      return record(place.withResult(result));
    } catch (TaskFailedException e) {
      if (mismatch != null) {
        throw e;
      }
      return record(place.withError(e.failure()));
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> T typed(TaskStep step, Class<T> type) throws TaskFailedException {
    try {
      return (T) Transport.typed(step.result(), type);
    } catch (TaskFailedException e) {
      throw new TaskFailedException("bad_step_result", e.failure().message());
    }
  }

  private Map<Integer, TaskStep> recorded() throws InterruptedException {
    if (recorded == null) {
      var read = new TreeMap<Integer, TaskStep>();
      boolean more = Boolean.TRUE.equals(claimed.repeated());
      while (more) {
        int from = read.isEmpty() ? 0 : read.lastKey() + 1;
        var page = posting.post(TaskStepsRequest.of(claimed.token()).withFrom(from));
        page.items().forEach(it -> read.put(it.ordinal(), it));
        more = page.more();
      }
      recorded = read;
    }
    return recorded;
  }

  private TaskStep record(NewTaskStep step) throws TaskFailedException, InterruptedException {
    try {
      return posting.post(TaskStepsRequest.of(claimed.token()).withStep(step)).items().get(0);
    } catch (ApiException e) {
      throw e.code().equals(MISMATCH)
          ? mismatch(e.getMessage())
          : new TaskFailedException(Worker.INVALID_RESULT, e.getMessage());
    }
  }

  private TaskStep ended(TaskStep step, NewTaskStep asked)
      throws TaskFailedException, InterruptedException {
    if (!step.name().equals(asked.name()) || step.kind() != kind(asked)) {
      throw differs(step, kind(asked) + " '" + asked.name() + "'");
    }
    if (step.status() == TaskStep.Status.WAITING) {
      posting.giveBack();
    }
    if (step.status() == TaskStep.Status.SUCCEEDED) {
      return step;
    }
    throw step.error() == null
        ? new TaskFailedException("unknown_outcome", "nobody knows what became of '" + step.name() + "'")
        : new TaskFailedException(step.error());
  }

  private static TaskStep.Kind kind(NewTaskStep step) {
    return step.sleep() != null
        ? TaskStep.Kind.SLEEP
        : step.ask() != null ? TaskStep.Kind.ASK : TaskStep.Kind.CALL;
  }

  private TaskFailedException differs(TaskStep step, String asked) {
    return mismatch(
        "step %d is recorded as %s '%s', the code has %s"
            .formatted(step.ordinal() + 1, step.kind(), step.name(), asked));
  }

  private TaskFailedException mismatch(String message) {
    mismatch = mismatch == null ? new TaskFailedException(MISMATCH, message) : mismatch;
    return mismatch;
  }

  /// What is recorded, and the handler has not come to, is of other code.
  <T> T compared(T result) throws TaskFailedException, InterruptedException {
    for (var step : begun == 0 ? List.<TaskStep>of() : recorded().values()) {
      if (step.ordinal() >= begun) {
        throw differs(step, "the end");
      }
    }
    if (mismatch != null) {
      throw mismatch;
    }
    return result;
  }

  /// Other code is what has failed, whatever the handler has thrown.
  TaskFailure failure(Throwable thrown) {
    return (mismatch == null ? TaskFailedException.of(thrown) : mismatch).failure();
  }

  /// Without a service.
  static TaskSteps echo(WorkerTask task, TaskStepsRequest body) {
    var step = body.step();
    boolean begins = kind(step) == TaskStep.Kind.CALL && step.result() == null;
    var status =
        step.error() != null
            ? TaskStep.Status.FAILED
            : begins ? TaskStep.Status.BEGUN : TaskStep.Status.SUCCEEDED;
    var result = step.ask() == null ? step.result() : step.ask().get("default_answer");
    var made =
        new TaskStep(step.error(), kind(step), step.name(), step.ordinal(), result, status);
    return new TaskSteps(List.of(made), false);
  }
}
