package dev.superstep.checkpoint.row;

import dev.superstep.compute.RequestWork;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Weighs rows of checkpoints before a request reads them: the database knows how large they are
/// without reading them. What becomes of a row is weighed when it is decoded.
@Component
class ReadWeights {
  /// Of rows that are read at a time.
  private static final long PART_BYTES = 4L << 20;

  private static final String COMMITTED =
      """
      select octet_length(content) from checkpoint
       where run = :run and kind in ('step', 'final') and superstep < :superstep
       order by number desc limit :limit
      """;

  private static final String HOLDING =
      """
      select coalesce(sum(octet_length(content)), 0) from checkpoint
       where run = :run and kind = 'held' and superstep = :superstep
      """;

  private static final String CHAIN =
      """
      select coalesce(sum(octet_length(content)::bigint + coalesce(octet_length(snapshot), 0)), 0)
        from checkpoint
       where run = :run and number <= :number
         and number >= (select base from checkpoint where run = :run and number = :number)
      """;

  private static final String EVENTS =
      """
      select octet_length(events) from checkpoint
       where run = :run and last_event > :after and first_event <= :until
       order by number limit :limit
      """;

  private final JdbcClient jdbc;

  ReadWeights(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Takes memory for the rows from which a checkpoint is replayed.
  void holdChain(String run, int number) {
    RequestWork.current().hold(sum(jdbc.sql(CHAIN).param("run", run).param("number", number)));
  }

  /// Takes memory for the rows that hold the superstep behind `superstep`.
  void holdHeld(String run, int superstep) {
    RequestWork.current()
        .hold(sum(jdbc.sql(HOLDING).param("run", run).param("superstep", superstep)));
  }

  private static long sum(JdbcClient.StatementSpec sizes) {
    return sizes.query(Long.class).single();
  }

  /// Takes memory for the next rows that committed a superstep below `superstep`.
  ///
  /// @return how many of `limit` are to be read at a time: at least one
  int holdCommitted(String run, int superstep, int limit) {
    return holdPart(
        jdbc.sql(COMMITTED)
            .param("run", run)
            .param("superstep", superstep)
            .param("limit", limit)
            .query((row, _) -> row.getLong(1))
            .list());
  }

  /// As [#holdCommitted], for the rows that have events behind `after`, up to `until`.
  public int holdEvents(String run, long after, long until, int limit) {
    return holdPart(
        jdbc.sql(EVENTS)
            .param("run", run)
            .param("after", after)
            .param("until", until)
            .param("limit", limit)
            .query((row, _) -> row.getLong(1))
            .list());
  }

  private static int holdPart(List<Long> sizes) {
    int rows = 0;
    long bytes = 0;
    while (rows < sizes.size() && (rows == 0 || bytes + sizes.get(rows) <= PART_BYTES)) {
      bytes += sizes.get(rows);
      rows++;
    }
    RequestWork.current().hold(bytes);
    return Math.max(1, rows);
  }
}
