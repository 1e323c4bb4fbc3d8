package dev.superstep.schedule;

import dev.superstep.database.HistoryChanged;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.stereotype.Component;

/// Keeps this process's name, and requests another one when it was taken for dead.
///
/// It begins anew when the database has another history: it forgets what it has read, drops what it
/// drives, gives back what its name owns in the new history, and joins under another name. Until
/// every replica has had time for a heartbeat, it takes none for dead.
///
/// It drops what it drives, too, when the database has taken no writes for a lease: a primary whose
/// place another has taken answers like that, and other replicas own its runs there by then. It
/// joins anew when writes are taken again.
@Component
final class Rejoining {
  private static final Logger log = LoggerFactory.getLogger(Rejoining.class);
  private static final String READ_ONLY = "25006";

  private final Schedulers schedulers;
  private final Eras eras;
  private final Membership membership;
  private final ReplicaRows rows;
  private final DatabaseContact contact;
  private final WakeHandler handler;
  private final ApplicationEventPublisher events;

  /// Not given up completely yet.
  private @Nullable String former;

  private boolean emptied;

  Rejoining(
      Schedulers schedulers,
      Eras eras,
      Membership membership,
      ReplicaRows rows,
      DatabaseContact contact,
      WakeHandler handler,
      ApplicationEventPublisher events) {
    this.schedulers = schedulers;
    this.eras = eras;
    this.membership = membership;
    this.rows = rows;
    this.contact = contact;
    this.handler = handler;
    this.events = events;
  }

  /// To be called periodically. What a failure interrupts is continued by the next call.
  void check() {
    var name = membership.name();
    look(name).ifPresent(era -> begin(era, name));
    if (former != null) {
      giveUp(former);
    }
    membership.name().ifPresentOrElse(this::confirm, this::request);
  }

  private Optional<Integer> look(Optional<String> name) {
    try {
      return eras.changed(name);
    } catch (RuntimeException refused) {
      if (isReadOnly(refused) && membership.confirmed().isEmpty()) {
        name.ifPresent(this::drop);
      }
      throw refused;
    }
  }

  private static boolean isReadOnly(RuntimeException refused) {
    return NestedExceptionUtils.getMostSpecificCause(refused) instanceof SQLException sql
        && READ_ONLY.equals(sql.getSQLState());
  }

  private void drop(String name) {
    if (former == null) {
      log.warn(
          "The database has taken no writes for longer than the lease: all that runs here is"
              + " dropped, and claimed anew when it takes them");
      leave(name);
    }
    handler.replicaLost(name);
  }

  private void leave(String name) {
    membership.retire();
    former = name;
    emptied = false;
  }

  private void request() {
    rows.offer();
    schedulers.duties().triggerCheckForDueExecutions();
  }

  private void confirm(String name) {
    rows.heartbeat(name).ifPresentOrElse(it -> membership.confirm(name, it), () -> lose(name));
  }

  private void lose(String name) {
    log.warn("Replica {} was taken for dead: its runs are dropped here, it joins anew", name);
    handler.replicaLost(name);
    membership.release(name);
  }

  private void begin(int era, Optional<String> name) {
    log.warn(
        "The database has another history than before (era {}): all that runs here is dropped and"
            + " claimed anew",
        era);
    contact.startAnew();
    name.ifPresent(this::leave);
    events.publishEvent(new HistoryChanged(era));
  }

  /// The name is removed one round after nothing begins under it any more: what was beginning then
  /// would be orphaned otherwise, and the reconciler would count that as a death.
  private void giveUp(String name) {
    handler.historyChanged(name);
    if (emptied) {
      rows.remove(name);
      membership.release(name);
      former = null;
    }
    emptied = true;
  }
}
