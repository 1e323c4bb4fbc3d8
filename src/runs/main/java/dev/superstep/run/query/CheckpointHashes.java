package dev.superstep.run.query;

import dev.superstep.compute.RequestWork;
import dev.superstep.run.HistoryCheck.Damage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Verifies the links and seals of checkpoints, some at a time: the database computes them, and
/// only hashes leave it.
@Component
class CheckpointHashes {
  /// Of one answer.
  private static final int ROWS_MAX = 500;

  private static final long BYTES_MAX = 32L << 20;

  /// Of one statement. Between two it is seen whether the caller has gone.
  private static final long PART_BYTES = 4L << 20;

  private static final String WEIGHTS =
      """
      select number, octet_length(content)::bigint + octet_length(events)
                     + coalesce(octet_length(snapshot), 0) as bytes
        from checkpoint
       where run = :run and number > :after and number <= :last
       order by number limit :rows
      """;

  private static final String VERIFY =
      """
      select number, last_event,
             link = checkpoint_link(
               case when number = :first then :previous::bytea
                    else (select before.link from checkpoint as before
                           where before.run = :run and before.number = stored.number - 1) end,
               stored) as linked,
             seal = checkpoint_seal(link, version, lease_epoch, first_event, last_event,
                                    committed_at) as sealed
        from checkpoint as stored
       where run = :run and number > :after and number <= :last
       order by number
      """;

  private final JdbcClient jdbc;

  CheckpointHashes(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Which checkpoints a run should have.
  ///
  /// @param last the number of the last one
  /// @param kept the number of the first one that was not trimmed
  /// @param previous what that is linked to
  /// @param unlinked whether that is not known: an earlier release has trimmed it
  record Chain(String run, int last, int kept, byte @Nullable [] previous, boolean unlinked) {}

  /// @param linked null: it is not chained
  private record Verified(
      int number, long lastEvent, @Nullable Boolean linked, @Nullable Boolean sealed) {
    static Verified of(ResultSet row, int index) throws SQLException {
      return new Verified(
          row.getInt("number"),
          row.getLong("last_event"),
          row.getObject("linked", Boolean.class),
          row.getObject("sealed", Boolean.class));
    }
  }

  private record RowWeight(int number, long bytes) {}

  /// The last one that was verified, and the `seq` of its last event.
  record Reached(int checkpoint, long lastEvent) {}

  /// Verifies those behind `after` until the bound of an answer is reached.
  ///
  /// @return empty: none is left
  Optional<Reached> verify(Chain chain, int after, HistoryFindings findings) {
    int rows = 0;
    long bytes = 0;
    var reached = new Reached(after, 0);
    while (rows < ROWS_MAX && bytes < BYTES_MAX) {
      var weights = weights(chain, reached.checkpoint(), ROWS_MAX - rows);
      if (weights.isEmpty()) {
        missing(chain, reached.checkpoint(), findings);
        return Optional.empty();
      }
      long part = weights.stream().mapToLong(RowWeight::bytes).sum();
      reached = part(chain, reached.checkpoint(), weights, findings);
      rows += weights.size();
      bytes += part;
    }
    return reached.checkpoint() < chain.last() ? Optional.of(reached) : Optional.empty();
  }

  private static void missing(Chain chain, int reached, HistoryFindings findings) {
    if (reached < chain.last()) {
      findings.missing("checkpoint", reached + 1, chain.last());
    }
  }

  /// As many as one statement is to hash.
  private List<RowWeight> weights(Chain chain, int after, int rows) {
    var found =
        jdbc.sql(WEIGHTS)
            .param("run", chain.run())
            .param("after", after)
            .param("last", chain.last())
            .param("rows", rows)
            .query((row, _) -> new RowWeight(row.getInt(1), row.getLong(2)))
            .list();
    int count = 0;
    long bytes = 0;
    while (count < found.size() && (count == 0 || bytes + found.get(count).bytes() <= PART_BYTES)) {
      bytes += found.get(count++).bytes();
    }
    return found.subList(0, count);
  }

  private Reached part(Chain chain, int after, List<RowWeight> weights, HistoryFindings findings) {
    var work = RequestWork.current();
    try (var _ = work.piece()) {
      long bytes = weights.stream().mapToLong(RowWeight::bytes).sum();
      work.hold(bytes);
      work.accept(RowHashes.steps(bytes));
      var found =
          jdbc.sql(VERIFY)
              .param("run", chain.run())
              .param("first", chain.kept())
              .param("previous", chain.previous())
              .param("after", after)
              .param("last", weights.getLast().number())
              .query(Verified::of)
              .list();
      int expected = after + 1;
      for (var row : found) {
        if (row.number() > expected) {
          findings.missing("checkpoint", expected, row.number() - 1);
        }
        add(chain, row, findings);
        expected = row.number() + 1;
      }
      return new Reached(found.getLast().number(), found.getLast().lastEvent());
    }
  }

  private static void add(Chain chain, Verified row, HistoryFindings findings) {
    boolean unlinked = chain.unlinked() && row.number() == chain.kept();
    if (row.linked() == null || row.sealed() == null) {
      findings.notChained(1);
    } else if (!row.sealed() || (!row.linked() && !unlinked)) {
      findings.broken(Damage.CHANGED, "checkpoint", row.number());
    } else if (unlinked) {
      findings.notChained(1);
    } else {
      findings.intact();
    }
  }

  /// Names rows that should not be there.
  void added(Chain chain, HistoryFindings findings) {
    jdbc.sql(
            """
            (select number from checkpoint
              where run = :run and number < :first order by number limit 100)
             union all
            (select number from checkpoint
              where run = :run and number > :last order by number limit 100)
            """)
        .param("run", chain.run())
        .param("first", chain.kept())
        .param("last", chain.last())
        .query(Integer.class)
        .list()
        .forEach(it -> findings.broken(Damage.ADDED, "checkpoint", it));
  }

  /// The number of the first one that is stored; empty: there is none.
  Optional<Integer> first(String run) {
    return jdbc.sql("select number from checkpoint where run = ? order by number limit 1")
        .param(run)
        .query(Integer.class)
        .optional();
  }

  /// The `seq` of the first event of the first one that is kept.
  long firstEvent(Chain chain) {
    return jdbc.sql(
            """
            select first_event from checkpoint
             where run = ? and number >= ? order by number limit 1
            """)
        .params(chain.run(), chain.kept())
        .query(Long.class)
        .optional()
        .orElse(1L);
  }

  /// Whether checkpoints before `first` can have been trimmed: it is what a reader of the snapshot
  /// behind it needs first, as retention leaves it.
  boolean isCut(String run, int first) {
    return jdbc.sql(
            """
            select exists (
              select from (select min(number) as number from checkpoint
                            where run = :run and snapshot is not null) as base
               where not exists (select from checkpoint as planned
                                  where planned.run = :run and planned.kind <> 'held'
                                    and planned.number > :first
                                    and planned.number <= base.number)
                 and base.number is not null)
            """)
        .param("run", run)
        .param("first", first)
        .query(Boolean.class)
        .single();
  }

  /// The link of a checkpoint in hexadecimal; empty: it is not stored, or not chained.
  Optional<String> link(String run, int number) {
    return jdbc.sql("select link from checkpoint where run = ? and number = ?")
        .params(run, number)
        .query((row, _) -> Optional.ofNullable(row.getBytes(1)))
        .optional()
        .flatMap(it -> it)
        .map(HexFormat.of()::formatHex);
  }
}
