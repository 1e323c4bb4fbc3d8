package dev.superstep.run;

import dev.superstep.definition.Compiled;
import dev.superstep.run.ContinueThread.Continued;
import dev.superstep.state.value.Value;
import java.util.Optional;
import java.util.function.Consumer;

/// Starts, resumes, cancels, forks and deletes runs for clients.
///
/// Every method but `deleteThread` is one transaction, or part of the caller's; drivers are
/// notified after it has committed. Those named `check` and `prepare` need none, and belong before
/// the caller's: they may wait for a processor, which a thread must not do with a connection in
/// hand. When a method returns and the transaction is committed, the effect is on disk. All of them
/// throw a `ServiceException` for errors that the client can correct.
public interface RunService {

  /// Stores a run with its input checkpoint, so that some replica claims it. Nothing is stored if
  /// the input does not fit the graph.
  default Started start(StartRun request) {
    return start(checkRemembering(request), _ -> {});
  }

  CheckedStart check(StartRun request);

  /// @param graph that the request names, if its caller has just looked it up
  CheckedStart check(StartRun request, Compiled graph);

  /// Starts a checked run, whose id is published before the run can begin.
  ///
  /// @param named receives the id of the run before the run can begin; not called if the run exists
  ///   already
  Started start(CheckedStart request, Consumer<String> named);

  /// Checks a request that is started right away ([#start], [#startWaiting]). A graph that was
  /// started here before is not looked up: the insert of the run finds out whether another version
  /// was posted since.
  CheckedStart checkRemembering(StartRun request);

  /// Starts a checked run for a caller who waits for its end: it may begin before it is on disk.
  Started startWaiting(CheckedStart request);

  /// Whether a run whose caller waits for its end would begin before it is on disk.
  boolean startsEarly();

  /// Starts a run without an id and a thread that was checked against what is remembered
  /// ([CheckedStart#remembering]), if possible before it is on disk; it is when this returns.
  ///
  /// @param named receives the id of the run before the run can begin, and of one that does not
  /// @return empty: what is remembered may not hold any more, or the run would have to be queued;
  ///   nothing is stored
  Optional<Started> startRemembered(CheckedStart request, Consumer<String> named);

  /// Stores a checked run that does not go on behind its input: it stands at a breakpoint before
  /// its first nodes until it is resumed. Its thread must be free.
  ///
  /// @return id of the run
  String startAtRest(CheckedStart request);

  /// Answers interrupts, resolves or repeats failed tasks, passes a breakpoint, raises limits
  /// (E34).
  default Resumed resume(ResumeRun request) {
    return resume(request, check(request));
  }

  Resumed resume(ResumeRun request, CheckedAnswers answers);

  CheckedAnswers check(ResumeRun request);

  /// Answers one interrupt while it is open, whatever its run is doing (E35).
  default Resumed answer(String interruptId, Value value) {
    return answer(interruptId, value, check(interruptId, value));
  }

  Resumed answer(String interruptId, Value value, CheckedAnswers answers);

  CheckedAnswers check(String interruptId, Value value);

  /// Requests the cancellation of a run; idempotent. A run without a driver is cancelled when this
  /// returns.
  void cancel(String run);

  /// Cancels a run, and takes what it has committed out of its thread, whose state is again what it
  /// was before the run.
  void rollBack(String run);

  /// Ends the run of a thread that has stopped at a question or a breakpoint, where it is
  /// committed; its questions are closed. Nothing is done if there is no such run, or it is moving.
  /// Belongs before a start or a fork, into one transaction with that.
  ///
  /// @throws ServiceException `thread_not_found`
  void endStopped(String thread);

  /// Locks a thread until the caller's transaction ends.
  ///
  /// @return its active run, unless that has stopped at a question or a breakpoint
  Optional<String> hold(String thread);

  /// Goes on with a thread.
  ///
  /// @param answers to the questions that were open before the transaction
  /// @param named receives the id of the run before it can go on
  Continued goOn(ContinueThread request, CheckedAnswers answers, Consumer<String> named);

  /// Starts a new run from a checkpoint of another, which is not changed (E48) unless it is the
  /// active run of the thread that the fork joins, and ends as the fork requests.
  ///
  /// @return id of the new run
  String fork(ForkRun request);

  /// Like [#fork], but the new run does not go on: it stands at a breakpoint before what is
  /// pending, or has succeeded if that is the end. Its thread must be free.
  ///
  /// @return id of the new run
  String forkAtRest(ForkRun request);

  void prepare(ForkRun request);

  /// Erases a run that is not active, with its checkpoints, interrupts and events, and its thread
  /// if it was the last run of that.
  void delete(String run);

  /// Erases a thread that is free, with all of its runs and their descendants, in several
  /// transactions: the run whose state the thread has goes last, so that what is left when one of
  /// them fails is the thread with fewer runs.
  ///
  /// @throws ServiceException `erasure_unfinished` if it takes too long for one call
  void deleteThread(String thread);

  /// @param replayed a run with that id and the same request existed already
  /// @param progress if this process drives it
  record Started(String run, boolean replayed, Optional<RunProgress> progress) {}

  /// @param after the `seq` behind which the events of what the run does from now on are
  /// @param progress if this process drives it, and knows what it is
  record Resumed(String run, long after, Optional<RunProgress> progress) {}
}
