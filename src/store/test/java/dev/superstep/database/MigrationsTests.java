package dev.superstep.database;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/// Replicas of the release before go on with the schema of this one: no migration takes anything
/// away that their statements name, and none refuses rows that they write.
@TestInstance(Lifecycle.PER_CLASS)
class MigrationsTests {
  private static final Path MIGRATIONS =
      Path.of("src/store/main/resources/dev/superstep/migration");

  /// The last migration for which all replicas had to be stopped (`docs/upgrades.md`).
  private static final MigrationVersion BASELINE = MigrationVersion.fromVersion("11");

  /// What statements may rely on: names with their types, what an insert may leave out or set to
  /// null, what `on conflict` may name.
  private static final String PROMISES =
      """
      with relation as (
        select c.oid, c.relname, c.relkind from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S'))
      select format('relation %s (%s)', relname, relkind) from relation
       union all
      select format('column %s.%s %s %s', r.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                    a.attcollation::regcollation)
        from relation r join pg_attribute a on a.attrelid = r.oid
       where a.attnum > 0 and not a.attisdropped
       union all
      select format('%s.%s may be null', r.relname, a.attname)
        from relation r join pg_attribute a on a.attrelid = r.oid
       where a.attnum > 0 and not a.attisdropped and not a.attnotnull
       union all
      select format('%s.%s may be left out', r.relname, a.attname)
        from relation r join pg_attribute a on a.attrelid = r.oid
       where a.attnum > 0 and not a.attisdropped
         and (not a.attnotnull or a.atthasdef or a.attidentity <> '')
       union all
      select 'key ' || pg_get_indexdef(i.indexrelid)
        from relation r join pg_index i on i.indrelid = r.oid
       where i.indisunique
       union all
      select 'function ' || p.oid::regprocedure from pg_proc p
       where p.pronamespace = 'public'::regnamespace
      """;

  /// What may refuse a row, by table. A digest is computed in the row, inputs are deleted, and what
  /// webhooks are told is written down, which nothing refuses.
  private static final String DEMANDS =
      """
      with relation as (
        select c.oid, c.relname from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p'))
      select r.relname, pg_get_constraintdef(c.oid) as demand
        from relation r join pg_constraint c on c.conrelid = r.oid
       where c.contype not in ('n', 't')
       union all
      select r.relname, pg_get_indexdef(i.indexrelid)
        from relation r join pg_index i on i.indrelid = r.oid
       where i.indisunique
       union all
      select r.relname, pg_get_triggerdef(t.oid)
        from relation r join pg_trigger t on t.tgrelid = r.oid
       where not t.tgisinternal
         and t.tgfoid::regproc::text not in (
               'digest_inserted', 'digest_changed', 'delete_inputs', 'report_events',
               'report_again', 'report_to_own_webhooks', 'reports_exactly')
       union all
      select r.relname, a.attname || ' must be given'
        from relation r join pg_attribute a on a.attrelid = r.oid
       where a.attnum > 0 and not a.attisdropped
         and a.attnotnull and not a.atthasdef and a.attidentity = ''
      """;

  private final SingleConnectionDataSource sample;

  MigrationsTests() throws SQLException {
    sample = open(TestDatabase.fresh());
  }

  /// @param demands by table, `table: demand`
  private record Schema(Set<String> promises, Set<String> demands) {
    static Schema of(JdbcClient jdbc) {
      return new Schema(
          new TreeSet<>(jdbc.sql(PROMISES).query(String.class).list()),
          new TreeSet<>(
              jdbc.sql(DEMANDS)
                  .query((row, _) -> row.getString(1) + ": " + row.getString(2))
                  .list()));
    }

    /// What a release that knows the other schema meets in this one.
    Set<String> obstaclesFor(Schema before) {
      var found = new TreeSet<String>();
      before.promises.stream()
          .filter(it -> !promises.contains(it))
          .forEach(it -> found.add("gone: " + it));
      demands.stream()
          .filter(it -> !before.demands.contains(it))
          .filter(it -> before.has(it.substring(0, it.indexOf(':'))))
          .forEach(it -> found.add("new: " + it));
      return found;
    }

    private boolean has(String table) {
      return promises.stream().anyMatch(it -> it.startsWith("relation " + table + " ("));
    }
  }

  private static SingleConnectionDataSource open(JdbcConnectionDetails details) {
    return new SingleConnectionDataSource(
        details.getJdbcUrl(),
        requireNonNull(details.getUsername()),
        requireNonNull(details.getPassword()),
        true);
  }

  private static Flyway flyway(SingleConnectionDataSource database, MigrationVersion target) {
    return Flyway.configure()
        .dataSource(database)
        .locations(MigrationFolder.LOCATION)
        .target(target)
        .load();
  }

  @Test
  void leaveTheReleaseBeforeAllThatItsStatementsName() throws SQLException {
    var database = open(TestDatabase.fresh());
    try {
      var jdbc = JdbcClient.create(database);
      flyway(database, BASELINE).migrate();
      var schema = Schema.of(jdbc);
      var later = flyway(database, MigrationVersion.LATEST).info().pending();
      assertThat(later).isNotEmpty();
      for (var version : Arrays.stream(later).map(MigrationInfo::getVersion).toList()) {
        flyway(database, version).migrate();
        var after = Schema.of(jdbc);
        assertThat(after.obstaclesFor(schema)).as("migration %s", version).isEmpty();
        schema = after;
      }
    } finally {
      database.destroy();
    }
  }

  /// Of the change alone: it is rolled back.
  private Set<String> obstaclesOf(String change) {
    var jdbc = JdbcClient.create(sample);
    jdbc.sql("begin").update();
    try {
      jdbc.sql("create table run (id text primary key, name text, size int not null default 0)")
          .update();
      jdbc.sql("alter table run add constraint named check (name <> '')").update();
      jdbc.sql("create view names as select name from run").update();
      var before = Schema.of(jdbc);
      jdbc.sql(change).update();
      return Schema.of(jdbc).obstaclesFor(before);
    } finally {
      jdbc.sql("rollback").update();
    }
  }

  @AfterAll
  void close() {
    sample.destroy();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "drop view names",
        "alter table run rename to runs",
        "alter table run drop column size",
        "alter table run rename column size to bytes",
        "alter table run alter column size type bigint",
        "alter table run alter column size drop default",
        "alter table run alter column name set not null",
        "alter table run add column kind text not null",
        "alter table run drop constraint run_pkey",
        "alter table run add unique (name)",
        "create unique index run_name on run (lower(name))",
        "alter table run add constraint small check (size < 10)",
        "alter table run add foreign key (name) references run (id)",
      })
  void noticesWhatTheReleaseBeforeCannotWorkWith(String change) {
    assertThat(obstaclesOf(change)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create table other (id text primary key, name text not null unique)",
        "alter table run add column kind text",
        "alter table run add column kind text not null default 'any'",
        "alter table run alter column size drop not null",
        "alter table run drop constraint named",
        "create index run_name on run (name)",
      })
  void letsASchemaGrow(String change) {
    assertThat(obstaclesOf(change)).isEmpty();
  }

  /// As a process does that is started again while others have been replaced already.
  @Test
  void letTheReleaseBeforeStart(@TempDir Path folder) throws IOException, SQLException {
    var database = open(TestDatabase.fresh());
    try {
      var all = flyway(database, MigrationVersion.LATEST);
      all.migrate();
      var newest = all.info().current().getScript();
      try (var files = Files.list(MIGRATIONS)) {
        for (var file : (Iterable<Path>) files::iterator) {
          if (!file.endsWith(newest)) {
            Files.copy(file, folder.resolve(file.getFileName()));
          }
        }
      }
      var before = Flyway.configure().dataSource(database).locations("filesystem:" + folder).load();

      assertThat(before.migrate().migrationsExecuted).isZero();
      assertThat(before.info().current().getState()).isEqualTo(MigrationState.FUTURE_SUCCESS);
    } finally {
      database.destroy();
    }
  }
}
