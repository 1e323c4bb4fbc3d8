package dev.superstep.run.start;

import dev.superstep.run.store.RunInputEntity;
import dev.superstep.run.store.RunOrigin;
import dev.superstep.run.view.CheckpointRef;
import dev.superstep.state.value.Canonical;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the statement that inserts runs is given of their heads and requests: arrays, one per
/// column of its common table expression `given`.
final class InsertRunsColumns {
  private static final List<Column> HEAD =
      List.of(
          new Column("id", String[]::new, it -> it.newRun().id()),
          new Column("graph", String[]::new, it -> it.origin().graph()),
          new Column("version", Integer[]::new, it -> it.origin().version()),
          new Column("superstep", Integer[]::new, it -> it.newRun().first().after().superstep()),
          new Column("priority", Short[]::new, it -> it.origin().priority()),
          new Column("thread_id", String[]::new, it -> it.origin().threadId()),
          new Column("ordinal", Long[]::new, it -> it.origin().ordinal()),
          new Column("parent_run", String[]::new, it -> it.origin().parentRun()),
          new Column("parent_checkpoint", Integer[]::new, it -> it.origin().parentCheckpoint()),
          new Column(
              "from_run",
              String[]::new,
              it -> it.newRun().from().map(CheckpointRef::run).orElse(null)),
          new Column(
              "from_checkpoint",
              Integer[]::new,
              it -> it.newRun().from().map(CheckpointRef::checkpoint).orElse(null)),
          new Column("caller", String[]::new, it -> it.origin().caller()));

  private static final List<Column> REQUEST =
      List.of(
          new Column("input", byte[][]::new, it -> it.input().input()),
          new Column("context", byte[][]::new, it -> it.input().context()),
          new Column("limits", byte[][]::new, it -> it.input().limitsBytes()),
          new Column("breakpoints", byte[][]::new, it -> it.input().breakpointsBytes()),
          new Column("params", byte[][]::new, it -> it.input().paramsBytes()),
          new Column("edit", byte[][]::new, it -> it.input().editBytes()),
          new Column("request_hash", byte[][]::new, it -> it.input().requestHash()),
          new Column("traceparent", String[]::new, it -> it.input().traceparent().orElse(null)));

  /// Columns that are computed or cast on their way.
  private static final List<Column> OTHER =
      List.of(
          new Column("events", Integer[]::new, it -> it.runInsert().events()),
          new Column(
              "wakes_at",
              String[]::new,
              it -> it.runInsert().wakesAt().map(Instant::toString).orElse(null)),
          new Column(
              "metadata", String[]::new, it -> Canonical.text(it.newRun().header().metadata())));

  private static final List<Column> ALL =
      Stream.of(HEAD, REQUEST, OTHER).flatMap(List::stream).toList();

  /// `unnest (…) with ordinality as given (…)`, with the `place` of each run from 1.
  static final String GIVEN =
      "unnest(%s) with ordinality as given (%s, place)"
          .formatted(
              ALL.stream().map(_ -> "?").collect(Collectors.joining(", ")),
              ALL.stream().map(Column::name).collect(Collectors.joining(", ")));

  private record Column(
      String name, IntFunction<@Nullable Object[]> array, Function<Row, @Nullable Object> value) {

    Object of(List<Row> rows) {
      var values = array.apply(rows.size());
      Arrays.setAll(values, i -> value.apply(rows.get(i)));
      return values;
    }
  }

  private record Row(RunInsert runInsert, RunInputEntity input) {
    NewRun newRun() {
      return runInsert.newRun();
    }

    RunOrigin origin() {
      return newRun().origin();
    }
  }

  private InsertRunsColumns() {}

  /// Values of the columns of `run`: as given, besides `others`.
  static Map<String, String> head(Map<String, String> others) {
    return values(HEAD, others);
  }

  /// Values of the columns of `run_input`.
  static Map<String, String> request(Map<String, String> others) {
    return values(REQUEST, others);
  }

  private static Map<String, String> values(List<Column> given, Map<String, String> others) {
    var values = new HashMap<>(others);
    given.forEach(it -> values.put(it.name(), it.name()));
    return values;
  }

  /// The parameters of [#GIVEN].
  static List<Object> arrays(List<RunInsert> runInserts) {
    var rows = runInserts.stream().map(InsertRunsColumns::row).toList();
    return ALL.stream().map(it -> it.of(rows)).toList();
  }

  private static Row row(RunInsert runInsert) {
    var newRun = runInsert.newRun();
    return new Row(runInsert, new RunInputEntity(newRun.id(), newRun.input(), newRun.asked()));
  }
}
