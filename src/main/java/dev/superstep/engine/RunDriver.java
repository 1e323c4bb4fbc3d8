package dev.superstep.engine;

import dev.superstep.graph.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What the loop asks of one claimed run: its plan, whether it comes to rest, its next superstep.
final class RunDriver implements AutoCloseable {
  private final Program program;
  private final RunImage image;
  private final Limits limits;
  private final DriverContext driver;
  private final Routes routes;
  private final Gate gate;
  private final Commits commits;

  RunDriver(Ports ports, EngineLimits serverLimits, Program program, RunImage image, Inbox inbox) {
    this.program = program;
    this.image = image;
    var graph = program.graph();
    limits = image.limits().or(graph.settings().limits());
    driver = new DriverContext(ports, serverLimits, inbox, image, limits);
    routes = Routes.of(graph, image.header().ordinal());
    gate = new Gate(graph, image, limits, driver);
    commits = new Commits(program, image, gate, driver);
  }

  /// The time for which the run is driven.
  Span span() {
    return driver.span();
  }

  /// The tasks of the next superstep, in task order.
  List<Task> plan(Checkpoint at) {
    return gate.runnable(at)
        ? Compactions.joining(
            program, at, routes.planner().plan(at.pending().activations(), at.superstep() + 1))
        : List.of();
  }

  /// Brings the run to rest if the next superstep must not start.
  ///
  /// @return empty if it may
  Optional<Next> restBefore(Checkpoint at, List<Task> tasks) {
    return gate.rest(at, tasks).map(it -> commits.rest(at, it));
  }

  /// Opens the next superstep; the caller closes it.
  LiveSuperstep superstep(Checkpoint at, List<Task> tasks) {
    var outside =
        new Frame.Outside(
            driver.ports().clock(),
            driver.ports().observer(),
            driver.span().superstep(at.superstep() + 1));
    var frame = new Frame(image.header(), program, at, limits, outside);
    return new LiveSuperstep(frame, tasks, slots(at, tasks), driver, routes, gate, commits);
  }

  private List<Slot> slots(Checkpoint at, List<Task> tasks) {
    var slots = new ArrayList<Slot>(tasks.size());
    for (int i = 0; i < tasks.size(); i++) {
      var task = tasks.get(i);
      var held = at.held().get(task.key());
      slots.add(Slot.of(i, task, held, held == null ? Release.NONE : release(at, held)));
    }
    return slots;
  }

  /// A failed task that is resolved by hand does not run again (E34). One whose child can go on
  /// waits for that child (E41).
  private Release release(Checkpoint at, TaskRecord held) {
    var news = driver.news();
    if (image.releasedThrough() < at.number()
        || news.resolutions().stream().anyMatch(it -> it.task().equals(held.key()))) {
      return Release.NONE;
    }
    var child = ChildRef.of(held).map(ChildRef::run).orElse("");
    return news.children().stream().anyMatch(it -> it.run().equals(child) && !it.givenUp())
        ? Release.CHILD
        : Release.FAILED;
  }

  @Override
  public void close() {
    driver.span().end();
  }
}
