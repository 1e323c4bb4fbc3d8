package dev.superstep.langgraph.stream;

import dev.superstep.run.InterruptFilter;
import dev.superstep.run.RunQueries;
import dev.superstep.run.view.EventView;
import dev.superstep.run.view.InterruptView;
import dev.superstep.run.view.Page;
import dev.superstep.run.view.RunView;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// The questions with which a run has stopped.
public final class OpenQuestions {
  public static final String KEY = "__interrupt__";
  private static final int PAGE = 200;

  private final RunQueries queries;
  private final StreamedRun run;

  OpenQuestions(RunQueries queries, StreamedRun run) {
    this.queries = queries;
    this.run = run;
  }

  /// Those that are open; none at a breakpoint.
  public static ListValue of(RunView run) {
    return of(run.interrupts());
  }

  private static ListValue of(List<InterruptView> interrupts) {
    return ListValue.of(interrupts.stream().map(OpenQuestions::of).toList());
  }

  public static ObjectValue of(InterruptView interrupt) {
    return ObjectValue.builder()
        .put("id", Value.of(interrupt.id()))
        .put("value", interrupt.question().payload())
        .build();
  }

  /// Those that were open when the run stopped; of an earlier stop, those that its tasks have
  /// asked.
  ListValue at(EventView stop) {
    if (stop.event().data().has("breakpoint")) {
      return ListValue.empty();
    }
    // In this order: if nothing follows the stop, the questions are those with which it stopped.
    var open = queries.run(run.run()).interrupts();
    var next = queries.events(run.run(), stop.seq().orElse(0L), Set.of(), 1).stream().findFirst();
    if (next.isEmpty() && !open.isEmpty()) {
      return of(open);
    }
    int superstep = stop.event().superstep().orElse(0) + 1;
    var until = next.map(EventView::at).orElse(Instant.MAX);
    var asked =
        queries.interrupts(InterruptFilter.of(run.run()), Page.Request.first(PAGE)).items().stream()
            .filter(it -> it.place().task().superstep() == superstep)
            .filter(it -> it.createdAt().isBefore(until))
            .toList();
    return of(asked.reversed());
  }
}
