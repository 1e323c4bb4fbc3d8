package dev.superstep.schedule.db;

import dev.superstep.database.HistoryChanged;
import dev.superstep.schedule.WakeHandler;
import dev.superstep.schedule.replica.DatabaseContact;
import dev.superstep.schedule.replica.Membership;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/// Has this process begin anew when the database has another history: it forgets what it has read,
/// drops what it drives, gives back what its name owns in the new history, and joins under another
/// name. Until everybody has had time for a heartbeat, it takes nobody for dead.
@Component
final class Rejoining {
  private static final Logger log = LoggerFactory.getLogger(Rejoining.class);

  private final Eras eras;
  private final Membership membership;
  private final ReplicaRows rows;
  private final DatabaseContact contact;
  private final WakeHandler handler;
  private final ApplicationEventPublisher events;

  /// Not given up completely yet.
  private @Nullable String former;

  Rejoining(
      Eras eras,
      Membership membership,
      ReplicaRows rows,
      DatabaseContact contact,
      WakeHandler handler,
      ApplicationEventPublisher events) {
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
    eras.changed(name)
        .ifPresent(era -> {
          log.warn(
              "The database has another history than before (era {}): all that runs here is dropped"
                  + " and claimed anew",
              era);
          contact.startAnew();
          name.ifPresent(it -> former = it);
          events.publishEvent(new HistoryChanged(era));
        });
    if (former != null) {
      giveUp(former);
      former = null;
    }
  }

  private void giveUp(String name) {
    handler.historyChanged(name);
    rows.remove(name);
    membership.release(name);
    // What began between the two: nothing begins under a name that has been removed.
    handler.historyChanged(name);
  }
}
