package dev.superstep.run.query;

import static java.util.stream.Collectors.groupingBy;

import dev.superstep.checkpoint.row.Interrupts;
import dev.superstep.checkpoint.row.StoredInterrupt;
import dev.superstep.problem.Cursor;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.InterruptFilter;
import dev.superstep.run.InterruptView;
import dev.superstep.run.InterruptView.Expiry;
import dev.superstep.run.InterruptView.InterruptPath;
import dev.superstep.run.InterruptView.Question;
import dev.superstep.run.InterruptView.Status;
import dev.superstep.run.InterruptView.Step;
import dev.superstep.run.Page;
import dev.superstep.run.store.ChildLinks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Reads the interrupts of runs as clients see them.
@Component
public class InterruptQueries {
  private final Interrupts interrupts;
  private final ChildLinks links;
  private final QuestionOrder order;

  InterruptQueries(Interrupts interrupts, ChildLinks links, QuestionOrder order) {
    this.interrupts = interrupts;
    this.links = links;
    this.order = order;
  }

  /// @throws ServiceException `interrupt_not_found`
  public InterruptView find(String id) {
    return views(List.of(stored(id))).getFirst();
  }

  /// Finds an interrupt without its path, which would take a query of the run's ancestors.
  ///
  /// @throws ServiceException `interrupt_not_found`
  public InterruptView withoutPath(String id) {
    return view(stored(id), List.of());
  }

  /// The interrupt without its path, if it exists.
  public Optional<InterruptView> look(String id) {
    return interrupts.find(id).map(it -> view(it, List.of()));
  }

  private StoredInterrupt stored(String id) {
    return interrupts
        .find(id)
        .orElseThrow(() ->
            new ServiceException(
                ErrorCode.INTERRUPT_NOT_FOUND, "there is no interrupt '%s'".formatted(id)));
  }

  /// The open interrupts of a run and of its descendants, in task order.
  public List<InterruptView> open(String run) {
    var runsOfTree = new ArrayList<String>();
    runsOfTree.add(run);
    runsOfTree.addAll(links.descendants(run));
    var open = interrupts.open(runsOfTree).stream().collect(groupingBy(it -> it.place().run()));
    var inOrder =
        runsOfTree.stream().flatMap(it -> open.getOrDefault(it, List.of()).stream()).toList();
    return order.sort(run, views(inOrder));
  }

  List<InterruptView> ofRun(String run) {
    return views(interrupts.ofRun(run));
  }

  /// Newest first; the interrupts of a run with those of its descendants.
  Page<InterruptView> search(InterruptFilter filter, Page.Request page) {
    var runs = new HashSet<String>();
    filter
        .run()
        .ifPresent(it -> {
          runs.add(it);
          runs.addAll(links.descendants(it));
        });
    var wanted =
        new Interrupts.Filter(
            runs,
            filter.graph(),
            filter.status().map(it -> StoredInterrupt.Status.valueOf(it.name())));
    var found =
        views(
            interrupts.list(
                wanted, page.cursor().map(InterruptQueries::position), page.limit() + 1));
    return Pages.of(found, page.limit(), it -> List.of(it.createdAt().toString(), it.id()));
  }

  private static Interrupts.InterruptPosition position(String cursor) {
    var parts = Cursor.read(cursor, 2);
    return new Interrupts.InterruptPosition(parts.time(0), parts.text(1));
  }

  private List<InterruptView> views(List<StoredInterrupt> stored) {
    var known = links.paths(stored.stream().map(it -> it.place().run()).distinct().toList());
    return stored.stream()
        .map(it -> view(it, known.getOrDefault(it.place().run(), List.of())))
        .toList();
  }

  private static InterruptView view(StoredInterrupt stored, List<Step> path) {
    var open = stored.interrupt();
    var place = stored.place();
    Optional<Expiry> expiry = open.expiresAt().map(it -> new Expiry(it, open.defaultAnswer()));
    return new InterruptView(
        stored.id(),
        new InterruptPath(place.run(), place.graph(), place.task(), path),
        new Question(open.reason(), open.payload(), open.schema()),
        Status.valueOf(stored.status().name()),
        stored.answer(),
        stored.answeredBy(),
        open.createdAt(),
        expiry);
  }
}
