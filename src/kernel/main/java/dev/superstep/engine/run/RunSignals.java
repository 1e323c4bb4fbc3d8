package dev.superstep.engine.run;

import dev.superstep.state.Change;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;

/// The signals of API calls and child runs to the driver of a run.
///
/// @param answers to interrupts of the superstep that is open, consumed ones may be among them
/// @param resolutions of failed tasks; consumed ones may be among them
/// @param children begun by the open superstep, including those that matter no more
/// @param answersCount how many answers, resolutions, ends of children and messages the run has had
///   in all
/// @param messages to the run that no superstep has taken, in their sequence
/// @param pausesAt the committed superstep from which on the run does not go on by itself
public record RunSignals(
    List<Answer> answers,
    List<Resolution> resolutions,
    List<Child> children,
    int answersCount,
    boolean cancelRequested,
    List<InboxMessage> messages,
    int pausesAt) {
  /// As `pausesAt`: at no superstep.
  public static final int NEVER = Integer.MAX_VALUE;

  public static final RunSignals NONE = new RunSignals(List.of(), List.of(), List.of(), 0, false);

  public RunSignals {
    answers = List.copyOf(answers);
    resolutions = List.copyOf(resolutions);
    children = List.copyOf(children);
    messages = List.copyOf(messages);
  }

  public RunSignals(
      List<Answer> answers,
      List<Resolution> resolutions,
      List<Child> children,
      int answersCount,
      boolean cancelRequested) {
    this(answers, resolutions, children, answersCount, cancelRequested, List.of(), NEVER);
  }

  /// The same with these messages.
  public RunSignals with(List<InboxMessage> waiting) {
    return new RunSignals(
        answers, resolutions, children, answersCount, cancelRequested, waiting, pausesAt);
  }

  /// The same with a pause.
  public RunSignals pausingAt(int superstep) {
    return new RunSignals(
        answers, resolutions, children, answersCount, cancelRequested, messages, superstep);
  }

  /// Whether the run pauses once it has committed this superstep.
  public boolean pausesBehind(int superstep) {
    return superstep >= pausesAt;
  }

  /// The same, with messages that were known before.
  public RunSignals behind(List<InboxMessage> known) {
    int last = known.getLast().seq();
    var all = new ArrayList<>(known);
    messages.stream().filter(it -> it.seq() > last).forEach(all::add);
    return with(all);
  }

  public record Answer(String interruptId, Value value) {}

  /// The status of a run that a task of the open superstep has begun (E41).
  ///
  /// @param givenUp it cannot continue: a resume of its task begins another
  public record Child(String run, RunStatus status, boolean givenUp) {}

  /// A failed task that a person declares done with this change (E34).
  public record Resolution(TaskKey task, Change change) {}
}
