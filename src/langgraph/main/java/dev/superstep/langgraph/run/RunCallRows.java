package dev.superstep.langgraph.run;

import dev.superstep.compute.RequestWork;
import dev.superstep.compute.StoredValues;
import dev.superstep.database.OwnThings;
import dev.superstep.database.Pools;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.RunCall.CallOptions;
import dev.superstep.langgraph.run.RunCreate.Chosen;
import dev.superstep.run.ContinueThread.TurnTaken;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Reads and inserts calls. A run that another API has begun has none, until one of this API goes
/// on with it.
@Component
@OnLangGraph
class RunCallRows {
  private static final String SELECT =
      """
      select one.*, (select min(next.after_seq) from langgraph_run as next
                      where next.run = one.run and next.after_seq > one.after_seq
                        and not next.nothing) as until
        from langgraph_run as one
      """;

  private static final String BARE =
      SELECT.replace(
          "one.*",
          """
          one.id, one.run, one.thread, one.after_seq, one.after_checkpoint, one.assistant,
          '{}' as metadata, '{}' as kwargs, one.strategy, one.nothing, one.created_at
          """);

  private static final String SIZE =
      """
      select coalesce(sum(octet_length(metadata)::bigint + octet_length(kwargs)), 0)
        from langgraph_run where id = any(:ids)
      """;

  private final JdbcClient jdbc;
  private final OwnThings things;

  RunCallRows(JdbcClient jdbc, OwnThings things) {
    this.jdbc = jdbc;
    this.things = things;
  }

  /// Inserts the call, unless that was done with its run.
  void insert(RunCall call, Optional<Chosen> chosen) {
    int _ =
        jdbc.sql(
                """
                insert into langgraph_run
                       (id, run, thread, after_seq, after_checkpoint, assistant, metadata, kwargs, strategy, nothing,
                        request_hash)
                select :id, :run, :thread, :after, :checkpoint, :assistant, :metadata, :kwargs, :strategy,
                       :nothing, :hash
                 where not exists (select from langgraph_run where id = :id and run = :run)
                """)
            .param("id", call.id())
            .param("run", call.run())
            .param("thread", call.thread().orElse(null))
            .param("after", call.after())
            .param("checkpoint", call.begin().checkpoint())
            .param("assistant", call.options().assistant())
            .param("metadata", Canonical.text(call.options().metadata()))
            .param("kwargs", Canonical.text(call.options().kwargs()))
            .param("strategy", call.options().strategy())
            .param("nothing", call.nothing())
            .param("hash", chosen.map(Chosen::hash).orElse(null))
            .update();
  }

  /// The call that has this id from the same request.
  ///
  /// @throws dev.superstep.problem.ServiceException `run_exists` if another request has it
  Optional<RunCall> find(Chosen chosen) {
    var hashes =
        jdbc.sql(
                """
                select request_hash from langgraph_run where id = :id
                 union all
                select null from run where id = :id
                """)
            .param("id", chosen.id())
            .query((row, _) -> Optional.ofNullable(row.getString(1)))
            .list();
    if (hashes.isEmpty()) {
      return Optional.empty();
    }
    return hashes.stream()
        .flatMap(Optional::stream)
        .filter(it -> chosen.hash().equals(it) && things.reachesCall(chosen.id()))
        .findFirst()
        .map(_ -> find(chosen.id()).orElseThrow(chosen::taken))
        .or(() -> {
          throw chosen.taken();
        });
  }

  /// Calls with one id wait for each other until their transactions end, and for those of `/v1`.
  void lock(Chosen chosen) {
    jdbc.sql("select pg_advisory_xact_lock(hashtextextended(?, 0) # " + Pools.SCHEMA_KEY + ")")
        .param("run:" + chosen.id())
        .query((_, _) -> chosen)
        .single();
  }

  /// Makes sure that the start of a run is a call, too, once another goes on with it.
  void ensureFirst(String run, Optional<String> thread, String assistant) {
    int _ =
        jdbc.sql(
                """
                insert into langgraph_run (id, run, thread, assistant, created_at)
                select run.id, run.id, :thread, :assistant, run.created_at
                  from run where run.id = :run
                     and not exists (select 1 from langgraph_run as first
                                      where first.run = :run and first.after_seq = 0
                                        and not first.nothing)
                    on conflict do nothing
                """)
            .param("run", run)
            .param("thread", thread.orElse(null))
            .param("assistant", assistant)
            .update();
  }

  Optional<RunCall> find(String id) {
    return jdbc.sql(SELECT + " where one.id = ?").param(id).query((row, _) -> call(row)).optional();
  }

  /// The call that has committed a checkpoint of a run.
  Optional<RunCall> ofCheckpoint(String run, int checkpoint) {
    return jdbc.sql(
            SELECT
                + " where one.run = ? and one.after_checkpoint < ? and not one.nothing"
                + " order by one.after_seq desc limit 1")
        .params(run, checkpoint)
        .query((row, _) -> call(row))
        .optional();
  }

  /// The call that a run is driven for.
  Optional<RunCall> newestOf(String run) {
    return ofCheckpoint(run, Integer.MAX_VALUE);
  }

  /// A call that has waited for its thread goes on with another run than the one that has waited
  /// for it. In one transaction with that.
  @EventListener
  void moved(TurnTaken taken) {
    var to = taken.continued();
    jdbc.sql(
            """
            update langgraph_run
               set run = :run, after_seq = :after, after_checkpoint = :checkpoint,
                   nothing = :nothing
             where run = :waited
            returning assistant
            """)
        .param("run", to.run())
        .param("after", to.after())
        .param("checkpoint", to.checkpoint())
        .param("nothing", to.nothing())
        .param("waited", taken.waited())
        .query(String.class)
        .optional()
        .ifPresent(it -> ensureFirst(to.run(), Optional.of(taken.thread()), it));
  }

  /// Newest first, without metadata and kwargs, which may be large.
  List<RunCall> ofThread(String thread, int limit) {
    return jdbc.sql(
            BARE + " where one.thread = ? order by one.created_at desc, one.id desc limit ?")
        .params(thread, limit)
        .query((row, _) -> call(row))
        .list();
  }

  /// These, with their requests.
  List<RunCall> whole(List<RunCall> calls) {
    var ids = calls.stream().map(RunCall::id).toArray(String[]::new);
    RequestWork.current().hold(jdbc.sql(SIZE).param("ids", ids).query(Long.class).single());
    var options = new HashMap<String, CallOptions>();
    jdbc.sql(
            "select id, assistant, metadata, kwargs, strategy from langgraph_run where id ="
                + " any(:ids)")
        .param("ids", ids)
        .query(row -> {
          options.put(row.getString("id"), options(row));
        });
    return calls.stream().map(it -> it.with(options.getOrDefault(it.id(), it.options()))).toList();
  }

  void delete(String id) {
    int _ = jdbc.sql("delete from langgraph_run where id = ?").param(id).update();
  }

  private static RunCall call(ResultSet row) throws SQLException {
    long until = row.getLong("until");
    var next = row.wasNull() ? Optional.<Long>empty() : Optional.of(until);
    return new RunCall(
        row.getString("id"),
        row.getString("run"),
        Optional.ofNullable(row.getString("thread")),
        new RunCall.CallStart(row.getLong("after_seq"), row.getInt("after_checkpoint")),
        next,
        options(row),
        row.getBoolean("nothing"),
        row.getObject("created_at", OffsetDateTime.class).toInstant());
  }

  private static CallOptions options(ResultSet row) throws SQLException {
    return new CallOptions(
        row.getString("assistant"),
        object(row.getString("metadata")),
        object(row.getString("kwargs")),
        row.getString("strategy"));
  }

  private static ObjectValue object(String text) {
    return ObjectValue.orEmpty(StoredValues.read(text));
  }
}
