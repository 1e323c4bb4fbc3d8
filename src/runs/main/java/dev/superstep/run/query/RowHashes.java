package dev.superstep.run.query;

import dev.superstep.compute.RequestWork;
import dev.superstep.run.HistoryCheck.Damage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Verifies what is stored of a run besides checkpoints, and that no event is missing. The database
/// computes the hashes.
@Component
class RowHashes {
  /// Of one answer.
  private static final int EVENTS_MAX = 5_000;

  /// Of one statement.
  private static final int ROWS = 500;

  /// Behind which a statement takes no further row.
  private static final int PART_BYTES = 4 << 20;

  /// A head that somebody has changed may have any number.
  private static final long CHECKPOINTS_PAID_MAX = 1_000_000;

  /// In which events are sought that are behind the last one.
  private static final int LAST_CHECKPOINTS = 500;

  /// As long as values take to be decoded, about.
  private static final long BYTES_A_STEP = 128;

  private static final String EVENTS =
      """
      with part as (
        select seq, octet_length(data) as bytes,
               sum(octet_length(data)::bigint) over (order by seq) - octet_length(data) as before
          from run_event
         where run = :run and seq > :key::bigint and seq <= :until
         order by seq limit :rows
      )
      select part.seq::text as key, part.bytes, digest = history_digest(stored) as same
        from part
        join run_event as stored on stored.run = :run and stored.seq = part.seq
       where part.before <= :bytes
       order by part.seq
      """;

  private static final String QUESTIONS =
      """
      with weighed as (
        select id, octet_length(payload) + coalesce(octet_length(answer), 0) as bytes
          from interrupt where run = :run and id > :key order by id limit :rows
      ), part as (
        select id, bytes, sum(bytes) over (order by id) - bytes as before from weighed
      )
      select part.id as key, part.bytes, digest = history_digest(stored) as same
        from part join interrupt as stored on stored.run = :run and stored.id = part.id
       where part.before <= :bytes
       order by part.id
      """;

  private static final String RESOLUTIONS =
      """
      with weighed as (
        select key, superstep, task, octet_length(change) as bytes
          from resolution
         cross join lateral (select (superstep || '.' || task) collate "C") as named (key)
         where run = :run and key > :key order by key limit :rows
      ), part as (
        select *, sum(bytes) over (order by key) - bytes as before from weighed
      )
      select part.key, part.bytes, digest = history_digest(stored) as same
        from part
        join resolution as stored
          on stored.run = :run and stored.superstep = part.superstep and stored.task = part.task
       where part.before <= :bytes
       order by part.key
      """;

  private static final String REQUEST =
      """
      select run as key, octet_length(input) + coalesce(octet_length(context), 0) as bytes,
             digest = history_digest(stored) as same
        from run_input as stored where run = :run and run > :key limit :rows
      """;

  /// What is said twice, or not at all, among the events behind one.
  private static final String SEQUENCE =
      """
      with range as (
        select first_event as first, last_event as last from checkpoint
         where run = :run and number > :from and number <= :to
           and last_event >= first_event and last_event > :after and first_event <= :until
         union all
        select seq, seq from run_event where run = :run and seq > :after and seq <= :until
         union all
        select :until + 1, :until + 1
      ), ordered as (
        select first, lag(last, 1, :after) over (order by first, last) as before from range
      )
      select first, before from ordered where first <> before + 1 order by first limit 100
      """;

  private final JdbcClient jdbc;

  RowHashes(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  static long steps(long bytes) {
    return bytes / BYTES_A_STEP;
  }

  /// @param same null: it has no hash
  private record Hashed(String key, long bytes, @Nullable Boolean same) {
    static Hashed of(ResultSet row, int index) throws SQLException {
      return new Hashed(
          row.getString("key"), row.getLong("bytes"), row.getObject("same", Boolean.class));
    }
  }

  /// Events with a `seq` above `after`, up to `until`, as checkpoints and rows of their own have
  /// them.
  ///
  /// @param from the checkpoint behind which they are
  /// @param to the last checkpoint of which they are
  record EventSpan(String run, int from, int to, long after, long until) {}

  /// Verifies events until the bound of an answer is reached.
  ///
  /// @return the `seq` up to which they are verified
  long verify(EventSpan events, HistoryFindings findings) {
    var bounds = Map.<String, Object>of("run", events.run(), "until", events.until());
    var key = Long.toString(events.after());
    int rows = 0;
    long reached = events.until();
    for (var part = rows(EVENTS, bounds, key); !part.isEmpty(); part = rows(EVENTS, bounds, key)) {
      add("run_event", part, findings);
      key = part.getLast().key();
      rows += part.size();
      if (rows >= EVENTS_MAX) {
        reached = Long.parseLong(key);
        break;
      }
    }
    sequence(events, reached, findings);
    return reached;
  }

  private void sequence(EventSpan events, long until, HistoryFindings findings) {
    long behind = (long) events.to() - events.from();
    RequestWork.current().accept(1 + Math.clamp(behind, 0, CHECKPOINTS_PAID_MAX));
    jdbc.sql(SEQUENCE)
        .param("run", events.run())
        .param("from", events.from())
        .param("to", events.to())
        .param("after", events.after())
        .param("until", until)
        .query(row -> {
          long first = row.getLong("first");
          long before = row.getLong("before");
          if (first > before) {
            findings.missing("event", before + 1, first - 1);
          } else {
            findings.broken(Damage.ADDED, "event", first);
          }
        });
  }

  /// Names events behind the last one that a run should have.
  ///
  /// @param checkpoint the last one
  /// @param last `seq` of the last event
  void added(String run, int checkpoint, long last, HistoryFindings findings) {
    jdbc.sql(
            """
            select seq from run_event where run = :run and seq > :last
             union all
            select last_event from checkpoint
             where run = :run and number > :checkpoint and last_event > :last
             order by 1 limit 100
            """)
        .param("run", run)
        .param("last", last)
        .param("checkpoint", (long) checkpoint - LAST_CHECKPOINTS)
        .query(Long.class)
        .list()
        .forEach(it -> findings.broken(Damage.ADDED, "event", it));
  }

  /// Verifies the request of a run, its questions, and what people have declared done.
  void verify(String run, HistoryFindings findings) {
    var bounds = Map.<String, Object>of("run", run);
    if (all("run_input", REQUEST, bounds, findings) == 0) {
      findings.broken(Damage.MISSING, "run_input", run);
    }
    all("interrupt", QUESTIONS, bounds, findings);
    all("resolution", RESOLUTIONS, bounds, findings);
  }

  private int all(String table, String sql, Map<String, Object> bounds, HistoryFindings findings) {
    int rows = 0;
    for (var part = rows(sql, bounds, "");
        !part.isEmpty();
        part = rows(sql, bounds, part.getLast().key())) {
      add(table, part, findings);
      rows += part.size();
    }
    return rows;
  }

  private List<Hashed> rows(String sql, Map<String, Object> bounds, String behind) {
    var found =
        jdbc.sql(sql)
            .params(bounds)
            .param("key", behind)
            .param("rows", ROWS)
            .param("bytes", PART_BYTES)
            .query(Hashed::of)
            .list();
    RequestWork.current().accept(1 + steps(found.stream().mapToLong(Hashed::bytes).sum()));
    return found;
  }

  private static void add(String table, List<Hashed> rows, HistoryFindings findings) {
    for (var row : rows) {
      if (row.same() == null) {
        findings.notChained(1);
      } else if (!row.same()) {
        findings.broken(Damage.CHANGED, table, row.key());
      }
    }
  }
}
