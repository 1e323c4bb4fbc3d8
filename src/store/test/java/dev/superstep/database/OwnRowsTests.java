package dev.superstep.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.context.Glob;
import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Reach.TaskReach;
import dev.superstep.tenant.Tenant;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class OwnRowsTests {
  private final DataSource owner;
  private final JdbcClient jdbc;

  OwnRowsTests() throws SQLException {
    var database = TestDatabase.migrated();
    owner =
        new DriverManagerDataSource(
            database.getJdbcUrl(),
            Objects.requireNonNull(database.getUsername()),
            Objects.requireNonNull(database.getPassword()));
    jdbc = JdbcClient.create(owner);
  }

  /// A tenant's list reads its own rows, however many there are of others.
  @ParameterizedTest
  @CsvSource({"acme, run_of_tenant", "default, run_created"})
  void areFoundByAnIndex(String tenant, String index) {
    jdbc.sql(
            """
            insert into run (id, graph, version, status)
            select case when n % 400 = 0 then 'acme/' else '' end || 'run-' || n, 'g', 1, 'succeeded'
              from generate_series(1, 20000) as n
            """)
        .update();
    jdbc.sql("analyze run").update();
    var plan =
        new Tenant(tenant)
            .within(() ->
                jdbc.sql(
                        "explain select id from run where "
                            + OwnRows.only("run.id").orElseThrow()
                            + " order by created_at desc, id desc limit 21")
                    .param(OwnRows.TENANT, OwnRows.tenant())
                    .query(String.class)
                    .list());
    assertThat(String.join("\n", plan)).contains(index).doesNotContain("Seq Scan", "Sort");
  }

  /// The first one of a list of what one caller has made is found as fast, however much there is.
  @ParameterizedTest
  @CsvSource({"run, run_caller_created", "thread, thread_owner"})
  void areFoundByTheirOwner(String table, String index) {
    jdbc.sql(
            """
            insert into run (id, graph, version, status, caller)
            select 'run-' || n, 'g', 1, 'succeeded', 'k' || n % 400
              from generate_series(1, 20000) as n
            """)
        .update();
    jdbc.sql(
            """
            insert into thread (id, owner)
            select 't' || n, 'k' || n % 400 from generate_series(1, 20000) as n
            """)
        .update();
    jdbc.sql("analyze run").update();
    jdbc.sql("analyze thread").update();
    var plan =
        Reach.limited(() -> {
          Reach.take(Optional.of(new Reach("k7", List.of(), List.of(Glob.of("*")))));
          var condition =
              (table.equals("run") ? OwnRows.runs("run") : OwnRows.threads("thread")).orElseThrow();
          return jdbc.sql(
                  "explain select id from %1$s where %2$s order by %1$s.created_at desc, %1$s.id desc limit 21"
                      .formatted(table, condition.text()))
              .params(condition.parameters())
              .query(String.class)
              .list();
        });
    assertThat(String.join("\n", plan))
        .contains("using " + index)
        .doesNotContain("Seq Scan", "Sort");
  }

  /// Of two grants, neither gives the types of one in the graphs of the other.
  @Test
  void areTasksOfTypesInTheGraphsForWhichTheseAreGiven() {
    for (var graph : List.of("shop", "news", "child", "shop#inline")) {
      jdbc.sql("insert into run (id, graph, version, status) values (?, ?, 1, 'waiting')")
          .param(graph)
          .param(graph)
          .update();
      for (var type : List.of("pay", "bill.send", "mail")) {
        jdbc.sql(
                """
                insert into task (id, run, graph, superstep, node, number, wakes_below, type, attempt,
                                  idempotency_key, payload, heartbeat_ms)
                values (?, ?, ?, 1, 'n', 1, 0, ?, 1, 'k', '', 1000)
                """)
            .params(List.of(type + " " + graph, graph, graph, type))
            .update();
      }
    }
    jdbc.sql(
            "insert into child_run (child, parent, root, depth, superstep, node, number,"
                + " wakes_below) values ('child', 'shop', 'shop', 1, 1, 'n', 1, 0)")
        .update();
    assertThat(reached(given("pay", "shop"), given("mail", "news")))
        .containsExactlyInAnyOrder("pay shop", "pay child", "pay shop#inline", "mail news");
    assertThat(reached(given("b?ll.*", "*")))
        .allMatch(it -> it.startsWith("bill.send "))
        .hasSize(4);
    assertThat(reached(given("bill", "*"), given("mail sho", "p"))).isEmpty();
  }

  private static TaskReach given(String type, String graph) {
    return new TaskReach(List.of(Glob.of(type)), List.of(Glob.of(graph)));
  }

  private List<String> reached(TaskReach... tasks) {
    return Reach.limited(() -> {
      Reach.take(Optional.of(new Reach("k7", List.of(), List.of(), List.of(tasks))));
      var condition = OwnRows.tasks("task", "run").orElseThrow();
      return jdbc.sql(
              "select task.id from task join run on run.id = task.run where " + condition.text())
          .params(condition.parameters())
          .query((row, _) -> row.getString(1))
          .list();
    });
  }

  @Test
  void areAllWhereNobodyAsks() {
    assertThat(OwnRows.only("run.id")).isEmpty();
    assertThat(OwnRows.tenant()).isEmpty();
  }

  /// Else every key would see what belongs to a tenant.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "insert into run (id, graph, version, status) values ('acme/r', 'g', 1, 'succeeded')",
        "insert into thread (id) values ('acme/t')",
        "insert into graph (name, newest, hidden_through, updated_at) values ('acme/g', 1, 0,"
            + " now())",
        "insert into memory_item (namespace, key, value, created_at, updated_at)"
            + " values ('.acme.n', 'k', '{}', now(), now())",
        "insert into api_key (id, name, digest, scopes, created_at, created_by)"
            + " values ('1', 'acme/k', '', '', now(), '')"
      })
  void keepAServerWithoutTenantsFromStarting(String row) {
    jdbc.sql("insert into thread (id) values ('t')").update();
    jdbc.sql(
            "insert into memory_item (namespace, key, value, created_at, updated_at)"
                + " values ('a/b', 'k', '{}', now(), now())")
        .update();
    assertThatCode(() -> new NoTenants(owner)).doesNotThrowAnyException();

    jdbc.sql(row).update();
    assertThatThrownBy(() -> new NoTenants(owner))
        .isInstanceOf(UnsuitableServerException.class)
        .hasMessageContaining("superstep.tenants.enabled");
  }
}
