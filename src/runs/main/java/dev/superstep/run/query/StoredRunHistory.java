package dev.superstep.run.query;

import dev.superstep.run.HistoryCheck;
import dev.superstep.run.HistoryCheck.Damage;
import dev.superstep.run.HistoryCheck.HistoryHead;
import dev.superstep.run.HistoryCheck.HistoryPosition;
import dev.superstep.run.RunHistory;
import dev.superstep.run.query.CheckpointHashes.Chain;
import dev.superstep.run.query.CheckpointHashes.Reached;
import dev.superstep.run.query.RowHashes.EventSpan;
import dev.superstep.run.store.RunFinder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/// Verifies histories in the database: each answer is of one moment.
@Service
@Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
class StoredRunHistory implements RunHistory {
  private static final int BEFORE_ALL = -1;

  private final JdbcClient jdbc;
  private final CheckpointHashes checkpoints;
  private final RowHashes rows;

  StoredRunHistory(JdbcClient jdbc, CheckpointHashes checkpoints, RowHashes rows) {
    this.jdbc = jdbc;
    this.checkpoints = checkpoints;
    this.rows = rows;
  }

  /// @param same null: the row has no hash
  /// @param trimmedTo -1: nothing is trimmed
  private record VerifiedRun(
      String run,
      int checkpoint,
      long lastEvent,
      int trimmedTo,
      byte @Nullable [] trimmedLink,
      boolean isOver,
      @Nullable Boolean same) {
    static VerifiedRun of(ResultSet row, int index) throws SQLException {
      return new VerifiedRun(
          row.getString("id"),
          row.getInt("checkpoint"),
          row.getLong("event_seq"),
          row.getInt("trimmed_to"),
          row.getBytes("trimmed_link"),
          row.getBoolean("is_over"),
          row.getObject("same", Boolean.class));
    }
  }

  @Override
  public HistoryCheck verify(
      String run, Optional<HistoryPosition> from, Optional<HistoryHead> known) {
    var head = head(run);
    var findings = new HistoryFindings();
    var first = checkpoints.first(run);
    var chain = chain(head, first);
    if (from.isEmpty()) {
      begin(head, findings);
    }
    known.ifPresent(it -> compare(chain, it, findings));
    var start =
        from.filter(it -> it.checkpoint() >= chain.kept() - 1)
            .map(it -> within(head, it))
            .orElseGet(() -> start(chain));
    var reached = reached(chain, start, first, findings);
    var events = events(head, start, reached, findings);
    boolean ends = reached.isEmpty() && events.seq() >= head.lastEvent();
    if (ends) {
      checkpoints.added(chain, findings);
      rows.added(head.run(), head.checkpoint(), head.lastEvent(), findings);
      rows.verify(run, findings);
    }
    return new HistoryCheck(
        findings.checkpoints(),
        findings.notChained(),
        chain.kept(),
        findings.broken(),
        ends ? newest(head) : Optional.empty(),
        ends ? Optional.empty() : Optional.of(events));
  }

  private VerifiedRun head(String run) {
    return jdbc.sql(
            """
            select id, checkpoint, event_seq, coalesce(trimmed_to, -1) as trimmed_to,
                   nullif(substr(trimmed_link, 1, length(trimmed_link) - 4), '') as trimmed_link,
                   finished_at is not null as is_over,
                   digest = history_digest(run)
                     and (trimmed_to is null
                          or status in ('succeeded', 'cancelled')
                             and int4send(trimmed_to)
                                 = substr(trimmed_link, length(trimmed_link) - 3)) as same
              from run where id = ?
            """)
        .param(run)
        .query(VerifiedRun::of)
        .optional()
        .orElseThrow(() -> RunFinder.notFound(run));
  }

  /// An earlier release trims without a trace; only runs that are over.
  private Chain chain(VerifiedRun head, Optional<Integer> first) {
    int kept = head.trimmedTo() + 1;
    if (head.isOver()
        && first.isPresent()
        && first.get() > kept
        && checkpoints.isCut(head.run(), first.get())) {
      return new Chain(head.run(), head.checkpoint(), first.get(), null, true);
    }
    return new Chain(head.run(), head.checkpoint(), kept, head.trimmedLink(), false);
  }

  /// Behind what is trimmed.
  private HistoryPosition start(Chain chain) {
    int before = chain.kept() - 1;
    long seq = before == BEFORE_ALL ? 0 : checkpoints.firstEvent(chain) - 1;
    return new HistoryPosition(before, before, seq);
  }

  /// Cursors are what clients send.
  private static HistoryPosition within(VerifiedRun head, HistoryPosition sent) {
    return new HistoryPosition(
        sent.checkpoint(), sent.eventsOf(), Math.min(sent.seq(), head.lastEvent()));
  }

  private static void begin(VerifiedRun head, HistoryFindings findings) {
    if (head.same() == null) {
      findings.notChained(1);
    } else if (!head.same()) {
      findings.broken(Damage.CHANGED, "run", head.run());
    }
  }

  /// What is trimmed cannot be compared, and is said to be missing.
  private void compare(Chain chain, HistoryHead known, HistoryFindings findings) {
    int before = chain.kept() - 1;
    var link =
        known.checkpoint() == before
            ? Optional.ofNullable(chain.previous()).map(HexFormat.of()::formatHex)
            : checkpoints.link(chain.run(), known.checkpoint());
    if (!link.equals(Optional.of(known.link()))) {
      findings.broken(
          known.checkpoint() < before ? Damage.MISSING : Damage.CHANGED,
          "head",
          known.checkpoint());
    }
  }

  /// A run that waits to begin has no checkpoint yet.
  private Optional<Reached> reached(
      Chain chain, HistoryPosition start, Optional<Integer> first, HistoryFindings findings) {
    return first.isEmpty() && chain.last() == 0
        ? Optional.empty()
        : checkpoints.verify(chain, start.checkpoint(), findings);
  }

  /// Verifies the events of the checkpoints of this part, or those that are left of an earlier one.
  ///
  /// @return what is verified with them
  private HistoryPosition events(
      VerifiedRun head,
      HistoryPosition start,
      Optional<Reached> reached,
      HistoryFindings findings) {
    int last = reached.map(Reached::checkpoint).orElse(head.checkpoint());
    long until =
        reached.map(it -> Math.min(it.lastEvent(), head.lastEvent())).orElse(head.lastEvent());
    var events =
        new EventSpan(
            head.run(), start.eventsOf(), last, start.seq(), Math.max(until, start.seq()));
    long seq = rows.verify(events, findings);
    return new HistoryPosition(last, seq < events.until() ? start.eventsOf() : last, seq);
  }

  private Optional<HistoryHead> newest(VerifiedRun head) {
    return checkpoints
        .link(head.run(), head.checkpoint())
        .map(it -> new HistoryHead(head.checkpoint(), it));
  }
}
