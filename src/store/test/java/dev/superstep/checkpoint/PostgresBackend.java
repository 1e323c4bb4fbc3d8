package dev.superstep.checkpoint;

import dev.superstep.checkpoint.row.CheckpointWriter;
import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.checkpoint.row.EventLog;
import dev.superstep.checkpoint.row.Interrupts;
import dev.superstep.checkpoint.row.Interrupts.AnsweredAs;
import dev.superstep.checkpoint.row.RunImages;
import dev.superstep.engine.StoreBackend;
import dev.superstep.engine.TestRunHeader;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.run.InboxMessage;
import dev.superstep.engine.run.InboxMessage.IfUntaken;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Graph;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/// The store on PostgreSQL, with the API calls played by plain statements.
public record PostgresBackend(
    CheckpointStore store,
    CheckpointWriter writer,
    RunImages images,
    Checkpoints checkpoints,
    Interrupts interrupts,
    EventLog log,
    JdbcClient jdbc,
    TransactionTemplate transaction)
    implements StoreBackend {

  @Override
  public void start(RunHeader header, Commit.Write first) {
    transaction.executeWithoutResult(_ -> {
      jdbc.sql(
              """
              insert into run (id, graph, version, status, ordinal)
              values (?, ?, ?, 'queued', ?)
              """)
          .params(header.id(), header.graph(), header.version(), header.ordinal())
          .update();
      writer.write(header.id(), first, List.of());
    });
  }

  @Override
  public LoadedRun claim(String run, Graph graph) {
    var header =
        jdbc.sql(
                """
                update run
                   set lease_epoch = lease_epoch + 1, owner = 'me',
                       status = case when status = 'queued' then 'running' else status end
                 where id = ?
                returning lease_epoch, graph, version, ordinal
                """)
            .param(run)
            .query((row, _) ->
                new Claimed(
                    TestRunHeader.of(
                        run,
                        row.getString("graph"),
                        row.getInt("version"),
                        row.getLong("ordinal"),
                        ObjectValue.empty()),
                    new Lease(run, row.getLong("lease_epoch"))))
            .single();
    return images.load(header.header(), header.lease(), graph);
  }

  private record Claimed(RunHeader header, Lease lease) {}

  @Override
  public boolean answer(String run, String interrupt, Value value) {
    return Boolean.TRUE.equals(
        transaction.execute(_ -> {
          lock(run);
          if (!interrupts.answer(
              interrupt, value, new AnsweredAs(Optional.empty(), List.of()), Optional.empty())) {
            return false;
          }
          countAnswer(run);
          return true;
        }));
  }

  @Override
  public void send(String run, InboxMessage message) {
    transaction.executeWithoutResult(_ -> {
      lock(run);
      jdbc.sql(
              """
              insert into run_message (run, seq, id, said, channel, value, if_ended, sent_at)
              select :run, count(*) + 1, :id, '', :channel, :value, :ifEnded, :sentAt::timestamptz
                from run_message where run = :run
              """)
          .param("run", run)
          .param("id", message.id())
          .param("channel", message.channel())
          .param("value", StoredObject.bytes(message.value()))
          .param("ifEnded", message.ifUntaken() == IfUntaken.START ? "start" : "reject")
          .param("sentAt", message.sentAt().toString())
          .update();
      countAnswer(run);
    });
  }

  @Override
  public void resolve(String run, TaskKey task, Change change) {
    transaction.executeWithoutResult(_ -> {
      lock(run);
      jdbc.sql(
              """
              insert into resolution (run, superstep, task, node, dispatch_id, change)
              values (:run, :superstep, :task, :node, :dispatch, :change)
              """)
          .param("run", run)
          .param("superstep", task.superstep())
          .param("task", TaskRecordCodec.key(task))
          .param("node", task.node().value())
          .param("dispatch", task.dispatchId())
          .param("change", ChangeCodec.bytes(change))
          .update();
      countAnswer(run);
    });
  }

  private void lock(String run) {
    jdbc.sql("select 1 from run where id = ? for update").param(run).query(Integer.class).single();
  }

  private void countAnswer(String run) {
    jdbc.sql("update run set answers = answers + 1 where id = ?").param(run).update();
  }

  @Override
  public void cancel(String run) {
    jdbc.sql("update run set cancel_requested_at = now() where id = ?").param(run).update();
  }

  @Override
  public void pause(String run, int superstep) {
    jdbc.sql("update run set pause_superstep = ? where id = ?").params(superstep, run).update();
  }

  @Override
  public Checkpoint checkpoint(RunHeader header, int number, Graph graph) {
    return checkpoints.rebuild(header, number, graph).orElseThrow();
  }

  @Override
  public List<Numbered> events(String run) {
    return log.read(run, 0, Set.of(), 1_000).stream()
        .map(it -> new Numbered(it.seq(), it.event()))
        .toList();
  }

  @Override
  public String interruptStatus(String run, String interrupt) {
    return interrupts.find(interrupt).orElseThrow().status().name().toLowerCase(Locale.ROOT);
  }
}
