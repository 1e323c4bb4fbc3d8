package dev.superstep.run.query;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.problem.Cursor;
import dev.superstep.run.Page;
import dev.superstep.run.ThreadCheckpoint;
import dev.superstep.run.ThreadCheckpoint.CheckpointPosition;
import dev.superstep.run.ThreadCheckpointId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Reads the checkpoints of all runs of a thread as one list. Held ones are left out: what they
/// hold belongs to the committed one before.
@Component
class ThreadHistory {
  /// Of each run at most a page is read, from its newest checkpoint on, or from that of the page
  /// before; of runs that are younger than that, nothing. Of older ones it cannot be said without a
  /// look: a run that is resumed goes on behind runs that came later. The parent of a run's first
  /// checkpoint is where the run has begun.
  private static final String LIST =
      """
      with page as materialized (%s)
      select page.run, page.ordinal, page.number, page.kind, page.superstep, page.committed_at,
             page.edited and page.number = 0 as edited,
             encode(page.state_hash, 'hex') as state_hash, parent.run as parent_run,
             parent.ordinal as parent_ordinal, parent.number as parent_number,
             parent.committed_at as parent_committed_at,
             page.number = 0 and page.from_checkpoint < 0 as parent_before
        from page
        left join lateral (
             select before.run, origin.ordinal, before.number, before.committed_at
               from checkpoint as before
               join run as origin on origin.id = before.run
              where origin.thread_id = :thread and origin.turn is not null
                and before.kind <> 'held'
                and before.run = case when page.number > 0 then page.run else page.from_run end
                and before.number
                      <= case when page.number > 0 then page.number - 1
                              else greatest(page.from_checkpoint, 0) end
              order by before.number desc limit 1) as parent on true
       order by page.committed_at desc, page.ordinal desc, page.number desc
      """;

  private static final String PAGE =
      """

        select run.id as run, run.ordinal, run.from_run, run.from_checkpoint, run.edited,
               committed.*
          from run
         cross join lateral (
               select number, kind, superstep, committed_at, state_hash from checkpoint
                where checkpoint.run = run.id and kind <> 'held'
                  and (committed_at, run.ordinal, number)
                        < (:at::timestamptz, :ordinal, :number)
                  and number < case when run.ordinal = :ordinal then :number else 2147483647 end
                order by number desc limit :limit) as committed
         where run.thread_id = :thread and run.turn is not null
           and run.created_at <= :at::timestamptz
         order by committed.committed_at desc, run.ordinal desc, committed.number desc
         limit :limit
      """;

  /// The page with the newest ones, which is that of few runs: what a run that keeps the turn it
  /// began with commits behind its first checkpoint is behind all that runs with lower turns have
  /// committed. (The first one of a fork is committed when the fork is posted.)
  private static final String NEWEST =
      PAGE.replace(
          "and run.turn is not null",
          """
          and run.turn >= coalesce((
                 select turn from run as other
                  where other.thread_id = :thread and other.turn = other.ordinal
                    and exists (select from checkpoint
                                 where checkpoint.run = other.id and kind <> 'held' and number > 0)
                  order by other.turn desc offset :limit - 1 limit 1), 0)
          """);

  /// The checkpoint of this number of the run with this ordinal.
  private static final String ONE =
      """
        select run.id as run, run.ordinal, run.from_run, run.from_checkpoint, run.edited,
               committed.number, committed.kind, committed.superstep, committed.committed_at, committed.state_hash
          from run
          join checkpoint as committed on committed.run = run.id
         where run.thread_id = :thread and run.turn is not null and run.ordinal = :ordinal
           and committed.number = :number and committed.kind <> 'held'
      """;

  /// The checkpoint of this number of one run.
  private static final String ONE_OF_RUN = ONE.replace("run.ordinal = :ordinal", "run.id = :run");

  /// Where runs have begun, up to the beginnings of the thread.
  private static final String WAY =
      """
      with recursive way(run, from_run, from_checkpoint) as (
        select id, from_run, from_checkpoint from run where id = any(:runs)
        union
        select before.id, before.from_run, before.from_checkpoint
          from way join run as before
            on before.id = way.from_run and before.thread_id = :thread
      )
      select way.run, way.from_run, way.from_checkpoint, first.kind,
             first.superstep as first_superstep, origin.superstep as from_superstep
        from way
        join checkpoint as first on first.run = way.run and first.number = 0
        left join checkpoint as origin
          on origin.run = way.from_run and origin.number = way.from_checkpoint
      """;

  private final JdbcClient jdbc;

  ThreadHistory(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Newest first.
  Page<ThreadCheckpoint> list(String thread, Page.Request page) {
    var place = page.cursor().map(it -> Cursor.read(it, 3));
    var found =
        jdbc.sql(LIST.formatted(place.isEmpty() ? NEWEST : PAGE))
            .param("thread", thread)
            .param("at", place.map(it -> it.time(0).toString()).orElse("infinity"))
            .param("ordinal", place.map(it -> it.number(1)).orElse(Long.MAX_VALUE))
            .param("number", place.map(it -> it.integer(2)).orElse(Integer.MAX_VALUE))
            .param("limit", page.limit() + 1)
            .query((row, _) -> checkpoint(row))
            .list();
    return Pages.of(found, page.limit(), it -> place(it.position().id()));
  }

  /// Newest first.
  ///
  /// @param before only those below this id; empty: all
  List<ThreadCheckpoint> list(String thread, Optional<ThreadCheckpointId> before, int limit) {
    var cursor = before.map(it -> Cursor.write(place(it)));
    return list(thread, new Page.Request(cursor, limit)).items();
  }

  /// The checkpoint of this id, or the one whose state before the input it names.
  Optional<ThreadCheckpoint> find(String thread, ThreadCheckpointId id) {
    return jdbc
        .sql(LIST.formatted(ONE))
        .param("thread", thread)
        .param("ordinal", id.ordinal())
        .param("number", id.number())
        .query((row, _) -> checkpoint(row))
        .list()
        .stream()
        .filter(it -> names(id, it))
        .findFirst();
  }

  Optional<ThreadCheckpoint> find(String thread, CheckpointRef at) {
    return jdbc
        .sql(LIST.formatted(ONE_OF_RUN))
        .param("thread", thread)
        .param("run", at.run())
        .param("number", at.checkpoint())
        .query((row, _) -> checkpoint(row))
        .list()
        .stream()
        .findFirst();
  }

  private static boolean names(ThreadCheckpointId id, ThreadCheckpoint checkpoint) {
    var found = checkpoint.position().id();
    return id.equals(found)
        || (checkpoint.kind() == CheckpointKind.INPUT && id.equals(found.beforeInput()));
  }

  /// How many steps lead to the first checkpoint of each of these runs: one for each superstep from
  /// the beginning of the thread, and two for each input but the first.
  Map<String, Integer> steps(String thread, Collection<String> runs) {
    var begins = new HashMap<String, Begin>();
    jdbc.sql(WAY)
        .param("thread", thread)
        .param("runs", runs.toArray(String[]::new))
        .query(row -> {
          begins.put(row.getString("run"), Begin.of(row));
        });
    var steps = new HashMap<String, Integer>();
    for (var run : begins.keySet()) {
      var way = new ArrayDeque<String>();
      var at = run;
      for (var begin = begins.get(at);
          begin != null && !steps.containsKey(at);
          begin = begins.get(at)) {
        way.push(at);
        at = begin.from();
      }
      for (var it : way) {
        Optional.ofNullable(begins.get(it))
            .ifPresent(begin -> steps.put(it, begin.step(begins, steps)));
      }
    }
    return steps;
  }

  /// Where a run has begun.
  ///
  /// @param from the run; "": the beginning of the thread
  private record Begin(
      String from, int checkpoint, int superstep, CheckpointKind kind, int firstSuperstep) {

    static Begin of(ResultSet row) throws SQLException {
      var from = row.getString("from_run");
      return new Begin(
          from == null ? "" : from,
          row.getInt("from_checkpoint"),
          row.getInt("from_superstep"),
          CheckpointKind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
          row.getInt("first_superstep"));
    }

    int step(Map<String, Begin> begins, Map<String, Integer> steps) {
      var origin = begins.get(from);
      if (origin == null) {
        return 0;
      }
      int more = kind == CheckpointKind.INPUT ? 2 : 1;
      int first = steps.getOrDefault(from, 0);
      return checkpoint < 0 ? first - 1 + more : first + superstep - origin.firstSuperstep() + more;
    }
  }

  private static List<String> place(ThreadCheckpointId id) {
    return List.of(id.at().toString(), Long.toString(id.ordinal()), Integer.toString(id.number()));
  }

  private static ThreadCheckpoint checkpoint(ResultSet row) throws SQLException {
    return new ThreadCheckpoint(
        position(row, ""),
        CheckpointKind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
        row.getBoolean("edited"),
        row.getInt("superstep"),
        row.getString("state_hash"),
        row.getString("parent_run") == null
            ? Optional.empty()
            : Optional.of(
                row.getBoolean("parent_before")
                    ? beforeInput(position(row, "parent_"))
                    : position(row, "parent_")));
  }

  private static CheckpointPosition beforeInput(CheckpointPosition first) {
    return new CheckpointPosition(
        first.id().beforeInput(), CheckpointRef.beforeInput(first.at().run()));
  }

  private static CheckpointPosition position(ResultSet row, String prefix) throws SQLException {
    int number = row.getInt(prefix + "number");
    var id =
        new ThreadCheckpointId(
            RunHeads.time(row, prefix + "committed_at").orElse(Instant.EPOCH),
            row.getLong(prefix + "ordinal"),
            number);
    return new CheckpointPosition(id, new CheckpointRef(row.getString(prefix + "run"), number));
  }
}
