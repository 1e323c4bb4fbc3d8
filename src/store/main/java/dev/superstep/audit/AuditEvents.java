package dev.superstep.audit;

import dev.superstep.database.OwnRows;
import dev.superstep.tenant.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Reads the audit log.
@Component
public class AuditEvents {
  private final JdbcClient jdbc;

  AuditEvents(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// An event.
  ///
  /// @param times how many equal ones it stands for
  public record AuditEvent(
      EventPosition position,
      String tenant,
      Optional<String> caller,
      String credential,
      Optional<String> address,
      String action,
      Optional<AuditQueue.AuditObject> object,
      String outcome,
      Optional<String> errorCode,
      int times) {
    static AuditEvent of(ResultSet row, int number) throws SQLException {
      var kind = row.getString("object_kind");
      var object = row.getString("object_id");
      return new AuditEvent(
          new EventPosition(
              row.getObject("at", OffsetDateTime.class).toInstant(), row.getLong("id")),
          row.getString("tenant"),
          Optional.ofNullable(row.getString("caller")),
          row.getString("credential"),
          Optional.ofNullable(row.getString("address")),
          row.getString("action"),
          kind == null || object == null
              ? Optional.empty()
              : Optional.of(new AuditQueue.AuditObject(kind, object)),
          row.getString("outcome"),
          Optional.ofNullable(row.getString("error_code")),
          row.getInt("times"));
    }
  }

  /// A position in the order of time.
  public record EventPosition(Instant at, long id) {}

  /// Which events are meant; everything given must hold.
  ///
  /// @param from the first moment
  /// @param until the moment behind the last
  /// @param object the id of the object
  public record AuditFilter(
      Optional<Instant> from,
      Optional<Instant> until,
      Optional<String> caller,
      Optional<String> action,
      Optional<String> object,
      Optional<AuditOutcome> outcome) {}

  /// In which order events are listed.
  public enum EventOrder {
    NEWEST_FIRST("<", "desc"),
    OLDEST_FIRST(">", "asc");

    private final String behind;
    private final String direction;

    EventOrder(String behind, String direction) {
      this.behind = behind;
      this.direction = direction;
    }
  }

  /// Lists events.
  ///
  /// @param behind empty: from the first on
  public List<AuditEvent> list(
      AuditFilter filter, EventOrder order, Optional<EventPosition> behind, int limit) {
    var sql = new StringBuilder("select * from audit_event where true");
    Tenant.ofRequest().ifPresent(_ -> sql.append(" and tenant = :tenant"));
    filter.from().ifPresent(_ -> sql.append(" and at >= :from"));
    filter.until().ifPresent(_ -> sql.append(" and at < :until"));
    filter.caller().ifPresent(_ -> sql.append(" and caller = :caller"));
    filter.action().ifPresent(_ -> sql.append(" and action = :action"));
    filter.object().ifPresent(_ -> sql.append(" and object_id = :object"));
    filter.outcome().ifPresent(_ -> sql.append(" and outcome = :outcome"));
    behind.ifPresent(_ -> sql.append(" and (at, id) %s (:at, :id)".formatted(order.behind)));
    sql.append(" order by at %1$s, id %1$s limit :limit".formatted(order.direction));
    return jdbc.sql(sql.toString())
        .param(OwnRows.TENANT, OwnRows.tenant())
        .param("from", filter.from().map(AuditEvents::offset).orElse(null))
        .param("until", filter.until().map(AuditEvents::offset).orElse(null))
        .param("caller", filter.caller().orElse(null))
        .param("action", filter.action().orElse(null))
        .param("object", filter.object().map(AuditLog::bounded).orElse(null))
        .param("outcome", filter.outcome().map(AuditOutcome::text).orElse(null))
        .param("at", behind.map(it -> offset(it.at())).orElse(null))
        .param("id", behind.map(EventPosition::id).orElse(null))
        .param("limit", limit)
        .query(AuditEvent::of)
        .list();
  }

  private static @Nullable OffsetDateTime offset(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
