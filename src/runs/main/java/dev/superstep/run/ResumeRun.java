package dev.superstep.run;

import dev.superstep.context.ContextEdit;
import dev.superstep.graph.Limits;
import dev.superstep.state.Change;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// A request to resume a run that stopped (E34, E39, E42).
///
/// @param resolutions failed tasks that count as done; the others run again
/// @param change edits the state before anything runs
/// @param limits those that are set replace the run's
/// @param context edits the prompt context before anything runs
/// @param onward where it proceeds besides, if at all
/// @param settings that hold from now on
public record ResumeRun(
    String run,
    List<ResumeAnswer> answers,
    List<Resolution> resolutions,
    Optional<Change> change,
    Limits limits,
    ContextEdit context,
    Onward onward,
    SettingsChange settings) {

  public ResumeRun {
    answers = List.copyOf(answers);
    resolutions = List.copyOf(resolutions);
  }

  /// A resume that keeps the prompt context and proceeds with what is pending.
  public ResumeRun(
      String run,
      List<ResumeAnswer> answers,
      List<Resolution> resolutions,
      Optional<Change> change,
      Limits limits) {
    this(
        run,
        answers,
        resolutions,
        change,
        limits,
        ContextEdit.NONE,
        Onward.PENDING,
        SettingsChange.NONE);
  }

  /// A resume that only goes on.
  public static ResumeRun pending(String run) {
    return new ResumeRun(run, List.of(), List.of(), Optional.empty(), Limits.NONE);
  }

  public ResumeRun with(SettingsChange other) {
    return new ResumeRun(run, answers, resolutions, change, limits, context, onward, other);
  }

  /// Whether it sets anything for the steps to come.
  public boolean sets() {
    return !limits.equals(Limits.NONE) || !settings.isEmpty();
  }

  /// Whether it answers, edits, or says what runs next in place of a node.
  public boolean decides() {
    return !answers.isEmpty() || !resolutions.isEmpty() || edits();
  }

  /// Whether it edits the checkpoint.
  public boolean edits() {
    return change.filter(it -> !it.isEmpty()).isPresent()
        || !context.isEmpty()
        || !onward.goTo().isEmpty();
  }

  /// @param goTo nodes that are activated besides what is pending
  /// @param goesOn false: the run is edited and does not proceed
  public record Onward(List<String> goTo, boolean goesOn) {
    public static final Onward PENDING = new Onward(List.of(), true);

    public Onward {
      goTo = List.copyOf(goTo);
    }
  }

  /// @param interruptId may be left out if only one interrupt is open
  public record ResumeAnswer(Optional<String> interruptId, Value value) {}

  /// @param taskId as shown by the API: `superstep:node` or `superstep:node:dispatch`
  public record Resolution(String taskId, Optional<Change> change) {}
}
