package dev.superstep.run.query;

import static java.util.stream.Collectors.groupingBy;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.row.Interrupts;
import dev.superstep.problem.Cursor;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.HeldStop;
import dev.superstep.run.InterruptFilter;
import dev.superstep.run.Page;
import dev.superstep.run.store.ChildLinks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.springframework.stereotype.Component;

/// Reads the interrupts of runs as clients see them.
@Component
public class InterruptQueries {
  /// By how much the clocks of those who stop and those who answer may differ.
  private static final Duration CLOCKS = Duration.ofSeconds(1);

  private final Interrupts interrupts;
  private final ChildLinks links;
  private final QuestionOrder order;

  InterruptQueries(Interrupts interrupts, ChildLinks links, QuestionOrder order) {
    this.interrupts = interrupts;
    this.links = links;
    this.order = order;
  }

  /// @throws ServiceException `interrupt_not_found`
  public StoredInterrupt find(String id) {
    return views(List.of(withoutPath(id))).getFirst();
  }

  /// Finds an interrupt without its path, which would take a query of the run's ancestors.
  ///
  /// @throws ServiceException `interrupt_not_found`
  public StoredInterrupt withoutPath(String id) {
    return interrupts
        .find(id)
        .orElseThrow(() ->
            new ServiceException(
                ErrorCode.INTERRUPT_NOT_FOUND, "there is no interrupt '%s'".formatted(id)));
  }

  /// The open interrupts of a run and of its descendants, in task order.
  public List<StoredInterrupt> open(String run) {
    var runsOfTree = new ArrayList<String>();
    runsOfTree.add(run);
    runsOfTree.addAll(links.descendants(run));
    var open = interrupts.open(runsOfTree).stream().collect(groupingBy(it -> it.place().run()));
    var inOrder =
        runsOfTree.stream().flatMap(it -> open.getOrDefault(it, List.of()).stream()).toList();
    return order.sort(run, views(inOrder));
  }

  /// Those with which a run has stopped, in task order: only what its stop names, and what was open
  /// then in runs of that superstep, is read, however many questions it asks.
  List<StoredInterrupt> at(String run, HeldStop stop, Instant at, Instant until) {
    var inside =
        stop.asking().stream()
            .findFirst()
            .map(it -> links.descendants(run, it.superstep()))
            .orElse(List.of());
    var asked = views(interrupts.at(stop.questions(), inside, at.minus(CLOCKS), until));
    return order.sort(
        run,
        asked.stream()
            .filter(it -> it.task(run).filter(stop.asking()::contains).isPresent())
            .toList());
  }

  List<StoredInterrupt> ofRun(String run) {
    return views(interrupts.ofRun(run));
  }

  /// Newest first; the interrupts of a run with those of its descendants.
  Page<StoredInterrupt> search(InterruptFilter filter, Page.Request page) {
    var runs = new HashSet<String>();
    filter
        .run()
        .ifPresent(it -> {
          runs.add(it);
          runs.addAll(links.descendants(it));
        });
    var wanted = new Interrupts.Filter(runs, filter.graph(), filter.status(), filter.whose());
    var found =
        views(
            interrupts.list(
                wanted, page.cursor().map(InterruptQueries::position), page.limit() + 1));
    return Pages.of(
        found, page.limit(), it -> List.of(it.question().createdAt().toString(), it.id()));
  }

  private static Interrupts.InterruptPosition position(String cursor) {
    var parts = Cursor.read(cursor, 2);
    return new Interrupts.InterruptPosition(parts.time(0), parts.text(1));
  }

  private List<StoredInterrupt> views(List<StoredInterrupt> stored) {
    var known = links.paths(stored.stream().map(it -> it.place().run()).distinct().toList());
    return stored.stream()
        .map(it -> it.below(known.getOrDefault(it.place().run(), List.of())))
        .toList();
  }
}
