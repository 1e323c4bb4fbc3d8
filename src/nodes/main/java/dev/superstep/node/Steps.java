package dev.superstep.node;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The durable steps of a [NodeFunction] ([FunctionCall#steps]). What a step returns is on disk
/// before the function goes on with it. When the function is called again, after a crash, a retry,
/// a sleep or an answer, it runs from its beginning, and each step that has a result returns that
/// at once. So code between steps must do the same each time, and have no effects.
///
/// ```java
/// var steps = call.steps();
/// var receipt = steps.run("charge", Receipt.class, () -> bank.charge(order, steps.idempotencyKey()));
/// steps.sleep("cool-off", Duration.ofDays(3));
/// steps.run("ship", () -> warehouse.ship(receipt));
/// ```
///
/// A step is known by its place among the steps of the task and by its name,
/// `[A-Za-z][A-Za-z0-9_.-]{0,63}`. If another one is recorded at its place, or one that the
/// function does not come to, the code was changed: the task fails with `step_mismatch`, whatever
/// the function returns. A task has 1,000 steps at most (`too_many_steps`); a result is as large as
/// a node's may be, all of them together sixteen times that (`result_too_large`).
///
/// A call in flight when the process dies is made again, and so is one that failed, unless the
/// function has caught the failure and gone on to another step. Pass [FunctionCall#idempotencyKey]
/// on: it is the same then.
///
/// Results are written and read as JSON: of records, maps, lists, texts, numbers, and values of the
/// state; of a list of records, take the array's class. Steps are begun on the thread of the
/// function, one behind the other, and not within each other; for parallel ones there is [#all].
///
/// All methods throw [StepException] for what failed, and [InterruptedException] if the call is not
/// wanted any more.
public interface Steps {

  /// Makes a call, or returns what it has returned before.
  ///
  /// @param body must not return null
  <T> T run(String name, Class<T> type, StepBody<T> body) throws InterruptedException;

  /// Makes a call that returns nothing, unless it has returned before.
  void run(String name, StepAction body) throws InterruptedException;

  /// Makes a call once at most: that it begins is recorded, too. If the process dies meanwhile, the
  /// step fails with `unknown_outcome`; a failure of the call is final.
  ///
  /// @param body must not return null
  <T> T once(String name, Class<T> type, StepBody<T> body) throws InterruptedException;

  /// Makes a call for each item, at most 16 at a time, each as a step of its own. Calls that fail
  /// do not stop the others. A result belongs to the place of its item: the list must be the same
  /// each time.
  ///
  /// @return the results in the order of the items
  /// @throws StepException the failure of the first item that has failed, when all have ended
  <I, T> List<T> all(String name, List<I> items, Class<T> type, StepItemBody<I, T> body)
      throws InterruptedException;

  /// Sleeps, holding no thread: the function is called again when the time has come. It is counted
  /// from when this is first called.
  ///
  /// @param duration at most 366 days
  void sleep(String name, Duration duration) throws InterruptedException;

  /// Asks a person, holding no thread: the function is called again with the answer. Answers are
  /// given as those to [FunctionResult#interrupt]. One that cannot be read as `type` is asked for
  /// again.
  ///
  /// @param question by [FunctionResult#interrupt], without a change
  /// @return null if that is the answer
  <T> @Nullable T ask(String name, Class<T> type, FunctionResult question)
      throws InterruptedException;

  /// The key of the step that the calling thread makes, to be passed to whatever it calls. Each
  /// step and each item has its own; repetitions have the same.
  ///
  /// @throws IllegalStateException outside of a step
  String idempotencyKey();

  @FunctionalInterface
  interface StepBody<T> {
    T call() throws Exception;
  }

  @FunctionalInterface
  interface StepAction {
    void run() throws Exception;
  }

  @FunctionalInterface
  interface StepItemBody<I, T> {
    T call(I item) throws Exception;
  }
}
