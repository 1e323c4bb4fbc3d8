package dev.superstep.run.event;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.checkpoint.StoredObject;
import dev.superstep.checkpoint.event.IncomingEvents;
import dev.superstep.checkpoint.event.IncomingEvents.EventTerm;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.tenant.Tenant;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/// Takes events from outside for the runs of the tenant whose request this is (E50). When a method
/// returns, they are on disk; those who wait for them hear of them right behind it, whatever dies.
@Component
public class EventService {
  private final IncomingEvents events;
  private final EventDelivery delivery;
  private final EventSettings settings;
  private final AuditLog audit;

  EventService(
      IncomingEvents events, EventDelivery delivery, EventSettings settings, AuditLog audit) {
    this.events = events;
    this.delivery = delivery;
    this.settings = settings;
    this.audit = audit;
  }

  /// Stores events, all or none. One that came before, by its source and id, is known.
  ///
  /// @return whether some may start runs
  public boolean publish(List<SentEvent> sent) {
    for (var event : sent) {
      if (StoredObject.bytes(event.content()).length > settings.sizeMax().toBytes()) {
        throw new ServiceException(
            ErrorCode.BODY_TOO_LARGE,
            "an event may have %d bytes".formatted(settings.sizeMax().toBytes()));
      }
    }
    var stored = audit.inTransaction(() -> store(sent));
    delivery.deliverSoon(List.copyOf(stored.keySet()));
    return stored.containsValue(true);
  }

  private Map<String, Boolean> store(List<SentEvent> sent) {
    var tenant = Tenant.current();
    var stored = new LinkedHashMap<String, Boolean>();
    for (var event : sent) {
      var id = tenant.own(hash(event));
      var term = new EventTerm(event.expires(), settings.keep(), settings.keepMax());
      events
          .insert(id, event.type(), event.content(), term)
          .ifPresent(starts -> {
            stored.put(id, starts);
            audit.record(AuditAction.EVENT_SEND, id);
          });
    }
    if (!stored.isEmpty() && !events.hasRoom(tenant, settings.keptMax() + 1)) {
      throw new ServiceException(
          ErrorCode.QUOTA_EXCEEDED,
          "%d events are kept; superstep.events.kept-max allows no more"
              .formatted(settings.keptMax()));
    }
    return stored;
  }

  /// Of what nobody else may mean by the same words.
  private static String hash(SentEvent event) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update(event.source().getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      return HexFormat.of()
          .formatHex(digest.digest(event.id().getBytes(StandardCharsets.UTF_8)), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
