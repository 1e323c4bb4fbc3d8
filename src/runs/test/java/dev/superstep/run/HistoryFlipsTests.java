package dev.superstep.run;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.problem.ServiceException;
import dev.superstep.run.HistoryCheck.BrokenRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;
import org.springframework.transaction.support.TransactionOperations;

/// Flips bytes of what is stored of runs, as a failing disk or somebody with access to the database
/// would: each is named. Columns come from the database, so that a new one is flipped, too, or
/// listed here with the reason why it may change. `-Dsuperstep.flips=10000` flips more of them.
// No other test shares its database, which loses what would refuse a flip.
@TestPropertySource(properties = "database.of=flips")
@RunTest
class HistoryFlipsTests {
  private static final int FLIPS = Integer.getInteger("superstep.flips", 1_000);

  /// What a column of a row may be called: keys by which the row is found.
  private static final Map<String, String> KEYS =
      Map.of(
          "run", "id",
          "run_input", "run",
          "checkpoint", "number",
          "run_event", "seq",
          "interrupt", "id",
          "resolution", "superstep || '.' || task");

  private static final Map<String, Set<String>> MAY_CHANGE =
      Map.of(
          // Where a run stands and who drives it: each write changes it. That it agrees with the
          // checkpoints in number and with the events in seq is verified.
          "run",
          Set.of(
              "status",
              "superstep",
              "lease_epoch",
              "owner",
              "takeovers",
              "driver_writes",
              "wake",
              "answers",
              "released_through",
              "cancel_requested_at",
              "wakes_at",
              "queued_at",
              "elapsed_ms",
              "passed_superstep",
              "passed_after",
              "passed_before",
              "breakpoint",
              "pause_superstep",
              "error",
              "error_code",
              "started_at",
              "finished_at",
              "form",
              // How much webhooks are told.
              "reports",
              // Known when a run that waits for its thread begins; an edit and a rollback change
              // them.
              "turn",
              "edited",
              "from_run",
              "from_checkpoint"),
          // A resume gives others; a call that waits for its thread is done once; whom the run
          // tells what happens changes nothing of it.
          "run_input",
          Set.of("limits", "breakpoints", "continues", "webhooks", "webhook_level"),
          // A foreign key refuses another value, unless that is a run, which then has a broken row.
          // Whose a question is changes while it is open.
          "interrupt",
          Set.of("run", "assignee", "candidates"),
          "resolution",
          Set.of("run"));

  /// Tables that hold nothing of the history of a run.
  private static final Map<String, String> OTHER_TABLES = new HashMap<>();

  static {
    Map.of(
            "what is stored for keys, graphs, their triggers, assistants, threads and memory is no"
                + " part of a run",
            "api_key assistant assistant_version budget_window graph graph_source graph_version"
                + " inbound_hook memory_item model_call model_pace run_schedule run_schedule_start"
                + " sign_in_session thread tool_pin",
            "it is a log of its own",
            "audit_event audit_seal audit_sealed",
            "it is of the cluster or the schema",
            "database_era flyway_schema_history replica news idempotency_key",
            "it is of an open superstep, and removed when that is committed",
            "recorded_task slice task wide_superstep",
            "what came of it is in the outcome of its task",
            "incoming_event taken_event task_step",
            "what a superstep has taken of it is in its checkpoint",
            "run_message",
            "it tells somebody of events",
            "delivery run_report webhook",
            "it is counted or copied from the rest, and changes",
            "child_run langgraph_run stored_size tool_call_count",
            "it is what other runs may repeat, and changes with each call",
            "made_call call_lineage",
            "it is what other runs may take in place of a call, for a while",
            "cached_result")
        .forEach((reason, tables) ->
            List.of(tables.split(" ")).forEach(it -> OTHER_TABLES.put(it, reason)));
  }

  @Autowired private RunActions on;
  @Autowired private RunHistory history;
  @Autowired private ThreadService threads;
  @Autowired private TransactionOperations transaction;

  private record Column(String table, String name, String type) {}

  /// @param ctid where the row is
  private record Cell(Column column, String run, String ctid, String key) {}

  private List<Column> columns() {
    return on.jdbc()
        .sql(
            """
            select c.table_name, c.column_name, c.data_type
              from information_schema.columns c
              join information_schema.tables t using (table_schema, table_name)
             where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
             order by 1, 2
            """)
        .query((row, _) -> new Column(row.getString(1), row.getString(2), row.getString(3)))
        .list();
  }

  @Test
  void knowsEveryTable() {
    var known = new TreeSet<>(OTHER_TABLES.keySet());
    known.addAll(KEYS.keySet());
    assertThat(columns().stream().map(Column::table))
        .filteredOn(it -> !it.startsWith("scheduled_"))
        .isNotEmpty()
        .isSubsetOf(known);
  }

  private List<Cell> cells(Column column, Set<String> runs) {
    var id = column.table().equals("run") ? "id" : "run";
    return on
        .jdbc()
        .sql(
            "select %s, ctid::text, (%s)::text from %s where %s is not null"
                .formatted(id, KEYS.get(column.table()), column.table(), column.name()))
        .query((row, _) -> new Cell(column, row.getString(1), row.getString(2), row.getString(3)))
        .list()
        .stream()
        .filter(it -> runs.contains(it.run()))
        .toList();
  }

  private Set<String> makeRuns() {
    var runs = new StoredHistories(on, threads);
    var chain = runs.chain(8);
    var fork = runs.forked(chain, 4);
    var trimmed = runs.forked(chain, 2);
    trim(trimmed);
    return Set.of(chain, fork, trimmed, runs.answered(), runs.asking(), runs.resolved());
  }

  /// As retention does, without its snapshots.
  private void trim(String run) {
    on.jdbc()
        .sql(
            """
            with deleted as (
              delete from checkpoint where run = :run and number < 2
              returning number, link
            )
            update run set trimmed_to = 1, trimmed_link = link || int4send(1)
              from deleted where id = :run and number = 1
            """)
        .param("run", run)
        .update();
  }

  /// What would refuse a flip, and what would recompute a hash.
  private void dropConstraints() {
    on.jdbc()
        .sql(
            """
            do $$
            declare it record;
            begin
              for it in select conrelid::regclass as of, conname from pg_constraint
                         where contype in ('c', 'f')
                           and conrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)
              loop
                execute format('alter table %s drop constraint %I', it.of, it.conname);
              end loop;
            end $$
            """)
        .update();
  }

  @Test
  void namesEachFlip() {
    var runs = makeRuns();
    dropConstraints();
    var cells =
        columns().stream()
            .filter(it -> KEYS.containsKey(it.table()))
            .filter(it -> !MAY_CHANGE.getOrDefault(it.table(), Set.of()).contains(it.name()))
            .collect(groupingBy(it -> it, TreeMapOfColumns::new, Collectors.toList()))
            .keySet()
            .stream()
            .map(it -> cells(it, runs))
            .filter(it -> !it.isEmpty())
            .toList();
    long seed = Long.getLong("superstep.flips.seed", System.nanoTime() & 0xffff);
    var random = new Random(seed);
    var missed = new ArrayList<String>();
    int flips = 0;
    for (int i = 0; flips < FLIPS && i < 3 * FLIPS; i++) {
      var column = cells.get(i % cells.size());
      var cell = column.get(random.nextInt(column.size()));
      var found = flip(cell, random);
      if (found.isPresent()) {
        flips++;
        if (!found.get()) {
          missed.add(cell.toString());
        }
      }
    }

    assertThat(missed).as("seed %d (-Dsuperstep.flips.seed)", seed).isEmpty();
    assertThat(flips).isEqualTo(FLIPS);
  }

  private static final class TreeMapOfColumns extends TreeMap<Column, List<Column>> {
    private static final long serialVersionUID = 1;

    TreeMapOfColumns() {
      super((a, b) -> a.toString().compareTo(b.toString()));
    }
  }

  /// @return whether it was named; empty: there is no such value
  private Optional<Boolean> flip(Cell cell, Random random) {
    try {
      return Optional.ofNullable(
          transaction.execute(status -> {
            status.setRollbackOnly();
            on.jdbc().sql("set local session_replication_role = 'replica'").update();
            return change(on.jdbc(), cell, random) == 0 ? null : isNamed(cell);
          }));
    } catch (DataAccessException _) {
      return Optional.empty();
    }
  }

  private static int change(JdbcClient jdbc, Cell cell, Random random) {
    return jdbc.sql(
            "update %s set %2$s = %3$s where ctid = '%4$s' and %2$s is distinct from %3$s"
                .formatted(
                    cell.column().table(),
                    cell.column().name(),
                    flipped(cell.column(), random),
                    cell.ctid()))
        .update();
  }

  private static String flipped(Column column, Random random) {
    var name = column.name();
    int at = random.nextInt(1 << 20);
    return switch (column.type()) {
      case "bytea" ->
          "set_byte(%1$s, %2$d %% length(%1$s), get_byte(%1$s, %2$d %% length(%1$s)) # %3$d)"
              .formatted(name, at, 1 << random.nextInt(8));
      case "text", "jsonb", "uuid" ->
          ("overlay(%1$s::text placing chr(ascii(substr(%1$s::text, 1 + %2$d %% length(%1$s::text),"
                  + " 1)) # %3$d) from 1 + %2$d %% length(%1$s::text) for 1)::%4$s")
              .formatted(name, at, 1 << random.nextInt(7), column.type());
      case "smallint" -> "(%s # %d)::smallint".formatted(name, 1 << random.nextInt(15));
      case "integer" -> "%s # (1 << %d)".formatted(name, random.nextInt(32));
      case "bigint" -> "%s # (1::bigint << %d)".formatted(name, random.nextInt(64));
      case "boolean" -> "not " + name;
      case "timestamp with time zone" ->
          "%s + %d * interval '1 microsecond'".formatted(name, 1L << random.nextInt(40));
      default -> throw new AssertionError("bytes of %s are not flipped".formatted(column));
    };
  }

  private boolean isNamed(Cell cell) {
    var run =
        cell.column().table().equals("run")
            ? on.jdbc()
                .sql("select id from run where ctid = currtid2('run', ?::tid) or id = ?")
                .params(cell.ctid(), cell.run())
                .query(String.class)
                .list()
            : List.of(cell.run());
    return run.stream().anyMatch(it -> isNamed(it, cell));
  }

  private boolean isNamed(String run, Cell cell) {
    try {
      var broken = history.verify(run, Optional.empty(), Optional.empty()).broken();
      return broken.stream().anyMatch(it -> names(it, cell));
    } catch (ServiceException e) {
      return Objects.equals(cell.column().name(), "id");
    }
  }

  /// A row that has another key is missing; of an event that is the event, not its row.
  private static boolean names(BrokenRow broken, Cell cell) {
    var table = cell.column().table();
    var row = List.of(broken.row().split("–"));
    boolean within =
        row.size() == 2
            && cell.key().matches("\\d+")
            && Long.parseLong(row.get(0)) <= Long.parseLong(cell.key())
            && Long.parseLong(cell.key()) <= Long.parseLong(row.get(1));
    return switch (table) {
      case "run" ->
          switch (cell.column().name()) {
            case "checkpoint" -> broken.table().equals("checkpoint");
            case "event_seq" -> broken.table().equals("event");
            default -> broken.table().equals("run") || broken.table().equals("checkpoint");
          };
      case "run_event" ->
          Set.of("run_event", "event").contains(broken.table())
              && (broken.row().equals(cell.key()) || within);
      case "interrupt", "resolution" ->
          broken.table().equals(table)
              && (broken.row().equals(cell.key())
                  || Set.of("id", "superstep", "task").contains(cell.column().name()));
      default -> broken.table().equals(table) && (broken.row().equals(cell.key()) || within);
    };
  }
}
