package dev.superstep.langgraph.run;

import dev.superstep.langgraph.run.InnerRuns.InnerRun;
import dev.superstep.run.EventView;
import dev.superstep.run.Page;
import dev.superstep.run.RunQueries;
import dev.superstep.run.TaskFilter;
import dev.superstep.run.TaskPart;
import dev.superstep.run.TaskView;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Finds the runs inside one that go on when it is resumed.
final class ResumedChildren {
  private static final Set<String> STOPS =
      Set.of("run.interrupted", "run.failed", "run.succeeded", "run.cancelled");
  private static final Set<String> ENDS = Set.of("run.succeeded", "run.cancelled");
  private static final int PAGE = 200;

  private final RunQueries queries;
  private final String run;

  ResumedChildren(RunQueries queries, String run) {
    this.queries = queries;
    this.run = run;
  }

  /// Those of the tasks that follow the superstep at which the run was resumed.
  List<InnerRun> of(EventView resumed) {
    int superstep = resumed.event().superstep().orElse(0) + 1;
    var ofSuperstep =
        new TaskFilter(
            Optional.of(superstep),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            EnumSet.allOf(TaskPart.class));
    return queries.tasks(run, ofSuperstep, Page.Request.first(PAGE)).items().stream()
        .flatMap(it -> child(it, resumed.at()))
        .toList();
  }

  private Stream<InnerRun> child(TaskView task, Instant at) {
    if (task.child().isEmpty()) {
      return Stream.empty();
    }
    var child = task.child().get();
    var before =
        queries.events(child, 0, STOPS, PAGE).stream()
            .filter(it -> !it.at().isAfter(at))
            .reduce((_, later) -> later);
    return before.filter(it -> ENDS.contains(it.event().type())).isPresent()
        ? Stream.empty()
        : Stream.of(new InnerRun(child, task.key(), before.flatMap(EventView::seq).orElse(0L)));
  }
}
