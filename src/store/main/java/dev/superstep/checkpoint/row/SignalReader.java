package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.ChangeCodec;
import dev.superstep.checkpoint.StoredObject;
import dev.superstep.checkpoint.work.QueuedTasks;
import dev.superstep.database.Pools;
import dev.superstep.engine.node.CheckpointStore.EndedWorker;
import dev.superstep.engine.run.InboxMessage;
import dev.superstep.engine.run.InboxMessage.IfUntaken;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Reads the signals that API calls have stored for a driver: one statement, which reads one row
/// while there are none.
@Component
class SignalReader {
  /// One row for the run, if its lease holds, then one for each answer, resolution and child of the
  /// superstep whose tasks are not committed, and for each message that none has taken. All are of
  /// one snapshot, so that the rows match the counts.
  private static final String NEWS =
      """
      with standing as (
        select run.id as run, run.answers, run.cancel_requested_at is not null as cancel_requested,
               checkpoint.superstep + 1 as open, pause_superstep
          from run
          join checkpoint on checkpoint.run = run.id and checkpoint.number = run.checkpoint
         where run.id = ? and run.lease_epoch = ?
      )
      select 0 as kind, answers as number, cancel_requested as flag, null as id,
             pause_superstep::text as what, null::bytea as bytes, null::timestamptz as at
        from standing
      union all
      select 1, 0, false, interrupt.id, null, interrupt.answer, interrupt.closed_at
        from standing
        join interrupt on interrupt.run = standing.run and interrupt.superstep = standing.open
       where standing.answers > 0 and interrupt.status = 'answered'
      union all
      select 2, standing.open, false, resolution.dispatch_id, resolution.node, resolution.change,
             resolution.created_at
        from standing
        join resolution on resolution.run = standing.run and resolution.superstep = standing.open
       where standing.answers > 0
      union all
      select 3, 0, child_run.given_up, child_run.child, run.status, null, null
        from standing
        join child_run on child_run.parent = standing.run and child_run.superstep = standing.open
        join run on run.id = child_run.child
       where standing.answers > 0
      union all
      select 4, message.seq, message.if_ended = 'start', message.id, message.channel,
             message.value, message.sent_at
        from standing
        join run_message as message
          on message.run = standing.run and message.checkpoint is null and message.next_run is null
             and message.seq > ?
       where standing.answers > 0
       order by kind, number, at, what, id
      """;

  private final JdbcClient jdbc;
  private final QueuedTasks queuedTasks;

  public SignalReader(@Qualifier(Pools.ENGINE) JdbcClient jdbc, QueuedTasks queuedTasks) {
    this.jdbc = jdbc;
    this.queuedTasks = queuedTasks;
  }

  boolean isAwaited(Lease lease, String type) {
    return queuedTasks.isAwaited(lease, type);
  }

  /// How some of these tasks ended that workers had.
  List<EndedWorker> workerEnds(Lease lease, Set<String> waiting) {
    return queuedTasks.ends(lease, waiting);
  }

  /// @param message the number of a message: those up to it are left out
  /// @throws LeaseLostException if this driver does not own the run any more
  public RunSignals read(Lease lease, int message) {
    var found = new ReadSignals();
    jdbc.sql(NEWS).params(lease.run(), lease.epoch(), message).query(found::add);
    return found.signals(lease);
  }

  private static final class ReadSignals {
    private final List<RunSignals.Answer> answers = new ArrayList<>();
    private final List<RunSignals.Resolution> resolutions = new ArrayList<>();
    private final List<RunSignals.Child> children = new ArrayList<>();
    private final List<InboxMessage> messages = new ArrayList<>();
    private boolean held;
    private boolean cancelRequested;
    private int count;
    private int pausesAt = RunSignals.NEVER;

    void add(ResultSet row) throws SQLException {
      switch (row.getInt("kind")) {
        case 0 -> {
          held = true;
          count = row.getInt("number");
          cancelRequested = row.getBoolean("flag");
          var pause = row.getString("what");
          pausesAt = pause == null ? RunSignals.NEVER : Integer.parseInt(pause);
        }
        case 1 ->
            answers.add(
                new RunSignals.Answer(
                    row.getString("id"), StoredObject.value(row.getBytes("bytes"))));
        case 2 -> {
          var task =
              new TaskKey(
                  row.getInt("number"), new NodeId(row.getString("what")), row.getString("id"));
          resolutions.add(new RunSignals.Resolution(task, ChangeCodec.read(row.getBytes("bytes"))));
        }
        case 4 ->
            messages.add(
                new InboxMessage(
                    row.getInt("number"),
                    row.getString("id"),
                    row.getString("what"),
                    StoredObject.value(row.getBytes("bytes")),
                    row.getBoolean("flag") ? IfUntaken.START : IfUntaken.FOLD,
                    row.getObject("at", OffsetDateTime.class).toInstant()));
        default -> {
          var status = RunStatus.valueOf(row.getString("what").toUpperCase(Locale.ROOT));
          children.add(new RunSignals.Child(row.getString("id"), status, row.getBoolean("flag")));
        }
      }
    }

    RunSignals signals(Lease lease) {
      if (!held) {
        throw new LeaseLostException(lease);
      }
      return new RunSignals(answers, resolutions, children, count, cancelRequested)
          .with(messages)
          .pausingAt(pausesAt);
    }
  }
}
