package dev.superstep.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.audit.AuditChain.SealSpan;
import dev.superstep.audit.AuditCheck.AuditDamage;
import dev.superstep.audit.AuditCheck.BrokenAudit.BrokenEvent;
import dev.superstep.audit.AuditCheck.BrokenAudit.BrokenHead;
import dev.superstep.audit.AuditCheck.BrokenAudit.BrokenSeal;
import dev.superstep.audit.AuditCheck.SealHead;
import dev.superstep.compute.SpentRequests;
import dev.superstep.database.TestDatabase;
import dev.superstep.tenant.Tenant;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/// What is sealed of the audit log, and that each change of it is named; `-Dsuperstep.flips=10000`
/// makes more of them.
class AuditChainTests {
  private static final int FLIPS = Integer.getInteger("superstep.flips", 1_000);
  private static final Duration KEEP = Duration.ofDays(30);
  private static final SealSpan ALL =
      new SealSpan(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  private final HikariDataSource pool = new HikariDataSource();
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final AuditSealer sealer;
  private final AuditPurge purge;
  private final AuditChain chain;

  AuditChainTests() throws SQLException {
    JdbcConnectionDetails database = TestDatabase.migrated();
    pool.setJdbcUrl(database.getJdbcUrl());
    pool.setUsername(database.getUsername());
    pool.setPassword(database.getPassword());
    pool.setMaximumPoolSize(4);
    var transactions = new JdbcTransactionManager(pool);
    jdbc = JdbcClient.create(pool);
    transaction = new TransactionTemplate(transactions);
    sealer = new AuditSealer(jdbc, transactions);
    purge = new AuditPurge(jdbc, transactions);
    chain = new AuditChain(jdbc, transactions, new AuditSettings(true, KEEP));
  }

  @AfterEach
  void closes() {
    pool.close();
  }

  /// @param age of all
  private void record(String tenant, int events, Duration age) {
    jdbc.sql(
            """
            insert into audit_event (at, tenant, caller, credential, address, action, object_kind,
                                     object_id, outcome, error_code, times)
            select clock_timestamp() - make_interval(secs => :age), :tenant, 'c' || i, 'key',
                   '192.0.2.1', 'run.start', 'run', 'r' || i, 'refused', 'x', i
              from generate_series(1, :events) as i
            """)
        .param("age", age.toSeconds())
        .param("tenant", tenant)
        .param("events", events)
        .update();
  }

  /// Events of two tenants under some seals.
  private void recordSome() {
    for (int batch = 0; batch < 4; batch++) {
      record("default", 5, Duration.ZERO);
      record("acme", 3, Duration.ZERO);
      sealer.takeTurn();
    }
  }

  private AuditCheck verify() {
    return chain.verify(ALL);
  }

  private void assertVerified(int events) {
    assertThat(verify().broken()).isEmpty();
    assertThat(verify().events()).isEqualTo(events);
    assertThat(verify().unsealed()).isZero();
  }

  /// Past what refuses changes.
  private void change(String sql) {
    transaction.executeWithoutResult(_ -> {
      jdbc.sql("set local session_replication_role = 'replica'").update();
      assertThat(jdbc.sql(sql).update()).isPositive();
    });
  }

  private long id(String condition) {
    return jdbc.sql("select id from audit_event where tenant = 'default' and " + condition)
        .query(Long.class)
        .list()
        .getFirst();
  }

  @Test
  void verifiesWhatIsSealedOfEachTenant() {
    assertVerified(0);
    recordSome();
    assertVerified(20);
    assertThat(new Tenant("acme").within(this::verify).events()).isEqualTo(12);
    record("default", 2, Duration.ZERO);
    assertThat(verify().unsealed()).isEqualTo(2);
    assertThat(verify().events()).isEqualTo(20);
    sealer.takeTurn();
    assertVerified(22);
    assertThat(verify().head().orElseThrow().number()).isEqualTo(5);
  }

  /// What an open transaction has recorded comes before what others have sealed.
  @Test
  void waitsForWritersThatHaveAnEarlierId() {
    transaction.executeWithoutResult(_ -> {
      record("default", 1, Duration.ZERO);
      var other =
          new TransactionTemplate(Objects.requireNonNull(transaction.getTransactionManager()));
      other.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
      other.executeWithoutResult(_ -> record("default", 1, Duration.ZERO));
      other.executeWithoutResult(_ -> {
        sealer.takeTurn();
        sealer.takeTurn();
        assertThat(verify().events()).isZero();
      });
    });
    sealer.takeTurn();
    assertVerified(2);
  }

  @Test
  void namesWhatWasChangedRemovedOrAdded() {
    recordSome();
    long changed = id("times = 2");
    change("update audit_event set caller = 'other' where id = " + changed);
    assertThat(names(verify())).containsExactly("CHANGED event " + changed);

    change("delete from audit_event where id = " + changed);
    assertThat(names(verify())).containsExactly("MISSING event " + changed);
  }

  @Test
  void namesWhatWasAddedBehindTheSeals() {
    recordSome();
    long gone = id("times = 1");
    change("delete from audit_event where tenant = 'acme'");
    change(
        "update audit_event set tenant = 'default' where id in (select max(id) from audit_event)");
    assertThat(names(verify())).isEmpty();
    long free = gone + 6;
    change(
        """
        insert into audit_event (id, credential, action) overriding system value
        values (%d, 'none', 'run.start')
        """
            .formatted(free));
    assertThat(names(verify())).containsExactly("ADDED event " + free);
    sealer.takeTurn();
    assertThat(names(verify())).containsExactly("ADDED event " + free);
  }

  @Test
  void namesSealsThatAreMissing() {
    recordSome();
    change("delete from audit_seal where tenant = 'default' and number = 2");
    assertThat(names(verify())).contains("MISSING seal 2");
    change("delete from audit_seal where tenant = 'default' and number = 4");
    assertThat(verify().broken())
        .filteredOn(it -> it instanceof BrokenEvent && it.damage() == AuditDamage.ADDED)
        .hasSize(10);
  }

  @Test
  void comparesAHeadThatWasKept() {
    recordSome();
    var head = verify().head().orElseThrow();
    record("default", 1, Duration.ZERO);
    sealer.takeTurn();
    assertThat(verify(head).broken()).isEmpty();
    assertThat(verify(new SealHead(head.number(), "0".repeat(64))).broken())
        .containsExactly(new BrokenHead(AuditDamage.CHANGED, head.number()));
    assertThat(verify(new SealHead(99, head.hash())).broken()).hasSize(1);
  }

  private AuditCheck verify(SealHead head) {
    return chain.verify(
        new SealSpan(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(head)));
  }

  @Test
  void staysVerifiableWhenRetentionHasDeletedSeals() {
    for (int day = 60; day >= 0; day -= 10) {
      record("default", 4, Duration.ofDays(day));
      record("acme", 1, Duration.ofDays(day));
      sealer.takeTurn();
    }
    var head = verify().head().orElseThrow();

    purge.purge(KEEP);

    assertThat(jdbc.sql("select count(*) from audit_event").query(Integer.class).single())
        .isEqualTo(3 * 5);
    assertVerified(12);
    assertThat(verify(head).broken()).isEmpty();
    assertThat(names(verify(new SealHead(1, head.hash())))).containsExactly("MISSING head 1");
    purge.purge(Duration.ZERO);
    assertThat(jdbc.sql("select count(*) from audit_seal").query(Integer.class).single())
        .isEqualTo(2);
    record("default", 1, Duration.ZERO);
    sealer.takeTurn();
    assertThat(verify(head).broken()).isEmpty();
  }

  /// The first turn finds what was recorded before there were seals.
  @Test
  void keepsNoEventLongerBecauseOfYoungerOnes() {
    record("default", 2, Duration.ofDays(60));
    record("default", 2, Duration.ofDays(31));
    record("default", 2, Duration.ofDays(2));
    sealer.takeTurn();
    assertVerified(6);
    purge.purge(KEEP);
    assertVerified(2);
  }

  /// It deletes events, and not their seals.
  @Test
  void understandsWhatTheReleaseBeforeHasDeleted() {
    record("default", 2, KEEP.plusDays(1));
    record("default", 2, Duration.ZERO);
    sealer.takeTurn();
    change("delete from audit_event where at < clock_timestamp() - interval '30 days'");
    assertThat(verify().broken()).isEmpty();
  }

  /// So that many such calls take turns with others, and end when their clients have gone.
  @Test
  void paysForEachEventThatItVerifies() {
    recordSome();

    assertThat(SpentRequests.left(1_100).within(this::verify).events()).isEqualTo(20);
    assertThatThrownBy(() -> SpentRequests.left(900).within(this::verify))
        .hasMessageContaining("steps that one request may cost");
  }

  @Test
  void verifiesManyEventsInParts() {
    record("default", 25_000, Duration.ZERO);
    sealer.takeTurn();
    var checks = new ArrayList<AuditCheck>();
    var next = Optional.<Long>empty();
    do {
      checks.add(
          chain.verify(new SealSpan(Optional.empty(), Optional.empty(), next, Optional.empty())));
      next = checks.getLast().next();
    } while (next.isPresent());
    assertThat(checks).hasSize(3);
    assertThat(checks.stream().mapToInt(AuditCheck::events).sum()).isEqualTo(25_000);
    assertThat(checks.stream().flatMap(it -> it.broken().stream())).isEmpty();
  }

  /// @param key id of an event or number of a seal
  private record Cell(String table, String column, String type, String ctid, long key) {}

  private List<Cell> cells() {
    return jdbc
        .sql(
            """
            select table_name, column_name, data_type from information_schema.columns
             where table_schema = current_schema() and table_name in ('audit_event', 'audit_seal')
             order by 1, 2
            """)
        .query((row, _) -> new Cell(row.getString(1), row.getString(2), row.getString(3), "", 0))
        .list()
        .stream()
        .flatMap(column ->
            jdbc
                .sql(
                    "select ctid::text, %s from %s where tenant = 'default' and %s is not null"
                        .formatted(
                            column.table().equals("audit_event") ? "id" : "number",
                            column.table(),
                            column.column()))
                .query((row, _) ->
                    new Cell(
                        column.table(),
                        column.column(),
                        column.type(),
                        row.getString(1),
                        row.getLong(2)))
                .list()
                .stream())
        .toList();
  }

  @Test
  void namesEachFlip() {
    recordSome();
    jdbc.sql("alter table audit_event alter id drop identity").update();
    long seed = Long.getLong("superstep.flips.seed", System.nanoTime() & 0xffff);
    var random = new Random(seed);
    var cells = cells();
    var missed = new ArrayList<String>();
    int flips = 0;
    for (int i = 0; flips < FLIPS && i < 3 * FLIPS; i++) {
      var cell = cells.get(i % cells.size());
      var named = flip(cell, random);
      if (named.isPresent()) {
        flips++;
        if (!named.get()) {
          missed.add(cell.toString());
        }
      }
    }
    assertThat(missed).as("seed %d (-Dsuperstep.flips.seed)", seed).isEmpty();
    assertThat(flips).isEqualTo(FLIPS);
  }

  /// @return whether it was named; empty: there is no such value
  private Optional<Boolean> flip(Cell cell, Random random) {
    try {
      return Optional.ofNullable(
          transaction.execute(status -> {
            status.setRollbackOnly();
            jdbc.sql("set local session_replication_role = 'replica'").update();
            int changed =
                jdbc.sql(
                        "update %s set %2$s = %3$s where ctid = '%4$s' and %2$s is distinct from %3$s"
                            .formatted(
                                cell.table(), cell.column(), flipped(cell, random), cell.ctid()))
                    .update();
            return changed == 0 ? null : isNamed(cell);
          }));
    } catch (DataAccessException _) {
      return Optional.empty();
    }
  }

  private boolean isNamed(Cell cell) {
    var broken = new ArrayList<>(verify().broken());
    return cell.table().equals("audit_event")
        ? broken.stream()
            .anyMatch(it -> it instanceof BrokenEvent event && event.position().id() == cell.key())
        : !broken.isEmpty();
  }

  private static String flipped(Cell cell, Random random) {
    var name = cell.column();
    int at = random.nextInt(1 << 20);
    return switch (cell.type()) {
      case "bytea" ->
          "set_byte(%1$s, %2$d %% length(%1$s), get_byte(%1$s, %2$d %% length(%1$s)) # %3$d)"
              .formatted(name, at, 1 << random.nextInt(8));
      case "text" ->
          ("overlay(%1$s placing chr(ascii(substr(%1$s, 1 + %2$d %% length(%1$s), 1)) # %3$d)"
                  + " from 1 + %2$d %% length(%1$s) for 1)")
              .formatted(name, at, 1 << random.nextInt(7));
      case "integer" -> "%s # (1 << %d)".formatted(name, random.nextInt(32));
      case "bigint" -> "%s # (1::bigint << %d)".formatted(name, random.nextInt(64));
      case "timestamp with time zone" ->
          "%s + %d * interval '1 microsecond'".formatted(name, 1L << random.nextInt(40));
      default -> throw new AssertionError("bytes of %s are not flipped".formatted(cell));
    };
  }

  private static List<String> names(AuditCheck check) {
    return check.broken().stream()
        .map(it ->
            it.damage()
                + switch (it) {
                  case BrokenEvent(_, var position) -> " event " + position.id();
                  case BrokenSeal(_, var number) -> " seal " + number;
                  case BrokenHead(_, var number) -> " head " + number;
                })
        .toList();
  }
}
