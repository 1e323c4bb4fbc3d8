package dev.superstep.run;

import dev.superstep.checkpoint.Interrupts;
import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.http.Cursor;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.InterruptView.Expiry;
import dev.superstep.run.InterruptView.Place;
import dev.superstep.run.InterruptView.Question;
import dev.superstep.run.InterruptView.Status;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// The interrupts of runs as clients see them.
@Component
class Questions {
  private final Interrupts interrupts;

  Questions(Interrupts interrupts) {
    this.interrupts = interrupts;
  }

  /// @throws ServiceException `interrupt_not_found`
  InterruptView find(String id) {
    return interrupts
        .find(id)
        .map(Questions::view)
        .orElseThrow(() ->
            new ServiceException(
                ErrorCode.INTERRUPT_NOT_FOUND, "there is no interrupt '%s'".formatted(id)));
  }

  /// The open ones of a run, in the order in which they were asked.
  List<InterruptView> open(String run) {
    return ofRun(run).stream().filter(it -> it.status() == Status.OPEN).toList();
  }

  List<InterruptView> ofRun(String run) {
    return interrupts.ofRun(run).stream().map(Questions::view).toList();
  }

  /// Newest first.
  Page<InterruptView> search(InterruptFilter filter, Page.Request page) {
    var wanted =
        new Interrupts.Filter(
            filter.run(),
            filter.graph(),
            filter.status().map(it -> StoredInterrupt.Status.valueOf(it.name())));
    var found =
        interrupts.list(wanted, page.cursor().map(Questions::position), page.limit() + 1).stream()
            .map(Questions::view)
            .toList();
    return Pages.of(found, page.limit(), it -> List.of(it.createdAt().toString(), it.id()));
  }

  private static Interrupts.Position position(String cursor) {
    var parts = Cursor.read(cursor, 2);
    return new Interrupts.Position(parts.time(0), parts.text(1));
  }

  private static InterruptView view(StoredInterrupt stored) {
    var asked = stored.interrupt();
    var place = stored.place();
    Optional<Expiry> expiry = asked.expiresAt().map(it -> new Expiry(it, asked.defaultAnswer()));
    return new InterruptView(
        stored.id(),
        new Place(place.run(), place.graph(), place.task()),
        new Question(asked.reason(), asked.payload(), asked.schema()),
        Status.valueOf(stored.status().name()),
        stored.answer(),
        asked.createdAt(),
        expiry);
  }
}
