package dev.superstep.engine;

import dev.superstep.state.Change;
import dev.superstep.state.Value;
import java.util.List;

/// What API calls have left for the driver of a run.
///
/// @param answers to interrupts of the superstep that is open, consumed ones may be among them
/// @param resolutions of failed tasks, likewise
/// @param answersCount how many answers and resolutions the run has had in all
public record News(
    List<Answer> answers, List<Resolution> resolutions, int answersCount, boolean cancelRequested) {
  public static final News NONE = new News(List.of(), List.of(), 0, false);

  public News {
    answers = List.copyOf(answers);
    resolutions = List.copyOf(resolutions);
  }

  public record Answer(String interruptId, Value value) {}

  /// A failed task that a person declares done with this change (E34).
  public record Resolution(TaskKey task, Change change) {}
}
