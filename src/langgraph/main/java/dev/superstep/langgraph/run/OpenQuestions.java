package dev.superstep.langgraph.run;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.run.EventView;
import dev.superstep.run.HeldStop;
import dev.superstep.run.RunQueries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The questions with which a run has stopped.
final class OpenQuestions {
  private static final Instant NEVER = Instant.parse("9999-12-31T00:00:00Z");

  private final RunQueries queries;
  private final StreamedRun run;

  OpenQuestions(RunQueries queries, StreamedRun run) {
    this.queries = queries;
    this.run = run;
  }

  /// Those that were open when the run stopped, those of runs inside included.
  ///
  /// @param stop with what the superstep is held
  List<StoredInterrupt> at(EventView event, Optional<HeldStop> stop) {
    if (event.event().data().has("breakpoint")) {
      return List.of();
    }
    // In this order: if nothing follows the stop, the questions are those with which it stopped.
    var open = queries.run(run.run()).interrupts();
    var next = queries.events(run.run(), event.seq().orElse(0L), Set.of(), 1).stream().findFirst();
    if (next.isEmpty() && !open.isEmpty()) {
      return open;
    }
    var until = next.map(EventView::at).orElse(NEVER);
    return stop.map(it -> queries.questions(run.run(), it, event.at(), until)).orElse(List.of());
  }

  /// Those of each task of this run.
  Map<TaskKey, List<StoredInterrupt>> byTask(List<StoredInterrupt> questions) {
    var byTask = new LinkedHashMap<TaskKey, List<StoredInterrupt>>();
    for (var question : questions) {
      question
          .task(run.run())
          .ifPresent(it -> byTask.computeIfAbsent(it, _ -> new ArrayList<>()).add(question));
    }
    return byTask;
  }
}
