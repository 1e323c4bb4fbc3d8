package dev.superstep.audit;

import dev.superstep.audit.AuditCheck.AuditDamage;
import dev.superstep.audit.AuditCheck.BrokenAudit;
import dev.superstep.audit.AuditCheck.BrokenAudit.BrokenEvent;
import dev.superstep.audit.AuditCheck.BrokenAudit.BrokenHead;
import dev.superstep.audit.AuditCheck.BrokenAudit.BrokenSeal;
import dev.superstep.audit.AuditCheck.SealHead;
import dev.superstep.audit.AuditEvents.EventPosition;
import dev.superstep.compute.RequestWork;
import dev.superstep.tenant.Tenant;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/// Verifies that the audit log of a tenant is what was sealed ([AuditSealer]). The database
/// computes the hashes.
@Component
public class AuditChain {
  private static final int SEALS_MAX = 200;
  private static final int EVENTS_MAX = 10_000;

  /// An event is read, hashed and compared: as long as some kB of values take to be decoded.
  private static final long STEPS_AN_EVENT = 50;

  /// PostgreSQL counts microseconds from here.
  private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

  private static final String SEALS =
      """
      select seal.number, coalesce(octet_length(seal.events), 0) / 48 as events,
             case when before.number is not null and before.number < seal.number - 1
                    then before.number + 1
                  when before.number is null and seal.number > 1 and seal.events is not null then 1
              end as missing,
             seal.hash = audit_seal_hash(seal.tenant, seal.number, seal.through_id, seal.newest_at,
                                         seal.sealed_at, seal.previous, seal.events_hash)
               and (seal.events is null or seal.events_hash = sha256(seal.events))
               and (before.number is null or seal.events is not null)
               and (before.number is distinct from seal.number - 1
                    or seal.previous = before.hash and seal.through_id > before.through_id) as same
        from audit_seal as seal
        left join lateral (
             select number, through_id, hash from audit_seal as lower
              where lower.tenant = seal.tenant and lower.number < seal.number
              order by number desc limit 1) as before on true
       where seal.tenant = :tenant and seal.number > :behind and seal.number <= :last
       order by seal.number limit :seals
      """;

  /// What differs between seals and events.
  private static final String EVENTS =
      """
      with seal as materialized (
        select seal.number, seal.events, seal.through_id, coalesce(before.through_id, 0) as after_id
          from audit_seal as seal
          left join lateral (
               select through_id from audit_seal as lower
                where lower.tenant = seal.tenant and lower.number < seal.number
                order by number desc limit 1) as before on true
         where seal.tenant = :tenant and seal.number > :behind and seal.number <= :last
      ), listed as (
        select number, substr(events, 48 * place + 1, 48) as digest
          from seal cross join lateral generate_series(0, octet_length(events) / 48 - 1) as place
      ), event as (
        select seal.number, audit_digest(stored) as digest
          from seal
          join audit_event as stored
            on stored.tenant = :tenant and stored.id > seal.after_id and stored.id <= seal.through_id
      )
      select listed.digest as listed, event.digest as stored
        from listed
        full join event
          on event.number = listed.number and substr(event.digest, 1, 8) = substr(listed.digest, 1, 8)
       where listed.digest is distinct from event.digest
       order by substr(coalesce(listed.digest, event.digest), 1, 8) limit 20000
      """;

  /// Events behind the last seal, up to where all are sealed.
  private static final String ADDED =
      """
      select audit_digest(stored) from audit_event as stored
       where tenant = :tenant and id <= (select through_id from audit_sealed)
         and id > coalesce((select through_id from audit_seal where tenant = :tenant
                             order by number desc limit 1), 0)
       order by id limit :rows
      """;

  private static final String UNSEALED =
      """
      select count(*) from (
        select from audit_event
         where tenant = :tenant and id > (select through_id from audit_sealed)
         limit :rows) as unsealed
      """;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final AuditSettings settings;

  AuditChain(JdbcClient jdbc, PlatformTransactionManager transactions, AuditSettings settings) {
    this.jdbc = jdbc;
    this.settings = settings;
    transaction = new TransactionTemplate(transactions);
    transaction.setReadOnly(true);
    transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
  }

  /// Which seals are verified.
  ///
  /// @param since only those with an event of this time or later
  /// @param until only those with an event before
  /// @param behind the number of a seal; empty: from the first on
  /// @param known a head that an earlier answer had: the seal must still have it
  public record SealSpan(
      Optional<Instant> since,
      Optional<Instant> until,
      Optional<Long> behind,
      Optional<SealHead> known) {}

  /// @param missing the first of those that are missing before it; retention leaves the last one
  ///   that it has deleted without its events
  private record SealRow(long number, int events, @Nullable Long missing, boolean same) {
    static SealRow of(ResultSet row, int index) throws SQLException {
      return new SealRow(
          row.getLong("number"),
          row.getInt("events"),
          row.getObject("missing", Long.class),
          row.getBoolean("same"));
    }
  }

  /// Verifies a part, whose size is bounded; each answer is of one moment.
  public AuditCheck verify(SealSpan span) {
    var tenant = Tenant.current().name();
    return Objects.requireNonNull(transaction.execute(_ -> verify(tenant, span)));
  }

  private AuditCheck verify(String tenant, SealSpan span) {
    var broken = new ArrayList<BrokenAudit>();
    span.known().ifPresent(it -> compare(tenant, it, broken));
    long begin = span.behind().orElseGet(() -> before(tenant, span.since()));
    long last = span.until().map(it -> last(tenant, it)).orElse(Long.MAX_VALUE);
    var rows = seals(tenant, begin, last);
    rows.forEach(it -> add(it, broken));
    long reached = rows.isEmpty() ? begin : rows.getLast().number();
    int differing = events(tenant, begin, reached, broken);
    boolean ends = reached >= last || !hasMore(tenant, reached);
    int unsealed = 0;
    if (ends && span.until().isEmpty()) {
      added(tenant, broken);
      unsealed = unsealed(tenant);
    }
    return new AuditCheck(
        rows.stream().mapToInt(SealRow::events).sum() - differing,
        unsealed,
        broken.subList(0, Math.min(broken.size(), AuditCheck.BROKEN_MAX)),
        ends ? hash(tenant, reached).map(it -> new SealHead(reached, it)) : Optional.empty(),
        ends ? Optional.empty() : Optional.of(reached));
  }

  /// The number before the first seal that has an event of this time or later.
  private long before(String tenant, Optional<Instant> since) {
    return since.isEmpty()
        ? 0
        : first(tenant, since.get()).map(it -> it - 1).orElseGet(() -> newest(tenant));
  }

  /// The number of the last seal that may have an event before a time.
  private long last(String tenant, Instant until) {
    return first(tenant, until).orElse(Long.MAX_VALUE);
  }

  private Optional<Long> first(String tenant, Instant newest) {
    return jdbc.sql(
            """
            select number from audit_seal
             where tenant = ? and newest_at >= ? and events is not null
             order by newest_at, number limit 1
            """)
        .params(tenant, newest.atOffset(ZoneOffset.UTC))
        .query(Long.class)
        .optional();
  }

  private boolean hasMore(String tenant, long behind) {
    return jdbc.sql("select exists (select from audit_seal where tenant = ? and number > ?)")
        .params(tenant, behind)
        .query(Boolean.class)
        .single();
  }

  private long newest(String tenant) {
    return jdbc.sql("select coalesce(max(number), 0) from audit_seal where tenant = ?")
        .param(tenant)
        .query(Long.class)
        .single();
  }

  /// What retention has deleted cannot be compared, and is said to be missing.
  private void compare(String tenant, SealHead known, List<BrokenAudit> broken) {
    var found = hash(tenant, known.number());
    if (!found.equals(Optional.of(known.hash()))) {
      broken.add(
          new BrokenHead(
              found.isEmpty() ? AuditDamage.MISSING : AuditDamage.CHANGED, known.number()));
    }
  }

  private Optional<String> hash(String tenant, long number) {
    return jdbc.sql("select hash from audit_seal where tenant = ? and number = ?")
        .params(tenant, number)
        .query((row, _) -> HexFormat.of().formatHex(row.getBytes(1)))
        .optional();
  }

  /// As many as one answer verifies.
  private List<SealRow> seals(String tenant, long behind, long last) {
    var rows =
        jdbc.sql(SEALS)
            .param("tenant", tenant)
            .param("behind", behind)
            .param("last", last)
            .param("seals", SEALS_MAX)
            .query(SealRow::of)
            .list();
    int count = 0;
    int events = 0;
    while (count < rows.size() && (count == 0 || events + rows.get(count).events() <= EVENTS_MAX)) {
      events += rows.get(count++).events();
    }
    RequestWork.current().accept(rows.size() + STEPS_AN_EVENT * events);
    return rows.subList(0, count);
  }

  private static void add(SealRow row, List<BrokenAudit> broken) {
    if (row.missing() != null) {
      broken.add(new BrokenSeal(AuditDamage.MISSING, row.missing()));
    }
    if (!row.same()) {
      broken.add(new BrokenSeal(AuditDamage.CHANGED, row.number()));
    }
  }

  /// @return how many that are sealed are not as they were
  private int events(String tenant, long behind, long last, List<BrokenAudit> broken) {
    var found = new ArrayList<BrokenEvent>();
    var kept = kept();
    jdbc.sql(EVENTS)
        .param("tenant", tenant)
        .param("behind", behind)
        .param("last", last)
        .query(row -> {
          difference(row.getBytes("listed"), row.getBytes("stored"), kept).ifPresent(found::add);
        });
    broken.addAll(found.stream().limit(AuditCheck.BROKEN_MAX).toList());
    return (int) found.stream().filter(it -> it.damage() != AuditDamage.ADDED).count();
  }

  /// An earlier release deletes old events, and not their seals.
  private static Optional<BrokenEvent> difference(
      byte @Nullable [] listed, byte @Nullable [] stored, Instant kept) {
    if (listed == null) {
      return Optional.of(
          new BrokenEvent(AuditDamage.ADDED, position(Objects.requireNonNull(stored))));
    }
    var position = position(listed);
    if (stored == null && position.at().isBefore(kept)) {
      return Optional.empty();
    }
    var damage = stored == null ? AuditDamage.MISSING : AuditDamage.CHANGED;
    return Optional.of(new BrokenEvent(damage, position));
  }

  /// The time before which events are not kept.
  private Instant kept() {
    return jdbc.sql("select clock_timestamp()")
        .query(Instant.class)
        .single()
        .minus(settings.keep());
  }

  private static EventPosition position(byte[] digest) {
    var bytes = ByteBuffer.wrap(digest);
    long id = bytes.getLong();
    return new EventPosition(EPOCH.plus(bytes.getLong(), ChronoUnit.MICROS), id);
  }

  private void added(String tenant, List<BrokenAudit> broken) {
    jdbc.sql(ADDED)
        .param("tenant", tenant)
        .param("rows", AuditCheck.BROKEN_MAX)
        .query((row, _) -> position(row.getBytes(1)))
        .list()
        .forEach(it -> broken.add(new BrokenEvent(AuditDamage.ADDED, it)));
  }

  private int unsealed(String tenant) {
    return jdbc.sql(UNSEALED)
        .param("tenant", tenant)
        .param("rows", AuditCheck.UNSEALED_MAX)
        .query(Integer.class)
        .single();
  }
}
