package dev.superstep.checkpoint.row;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Stores whose calls a run may repeat, since its history is a part of theirs, and says which those
/// are. In the caller's transaction.
@Component
public class CallLineage {
  /// The calls behind a checkpoint of a run: its own, those of the runs that followed it in its
  /// thread, and those behind the checkpoints where its own history began. Each part is bounded.
  private static final String BEHIND =
      """
      with behind as (
        select :run as source, :superstep as superstep
         union all
        (select later.id, -1 from run
           join run as later on later.thread_id = run.thread_id and later.turn > run.turn
          where run.id = :run order by later.turn desc limit 100)
         union all
        (select source, superstep from call_lineage where run = :run
          order by superstep desc, source limit 200)
      )
      """;

  private static final String FORK =
      BEHIND
          + """
          insert into call_lineage (run, source, superstep)
          select :fork, source, min(superstep) from behind where source <> :fork group by source
          """;

  private static final String CALLS =
      BEHIND
          + """
          select tool, count(*) as calls
            from (select distinct made.tool, made.call
                    from behind join made_call as made on made.run = behind.source
                     and made.superstep > behind.superstep
                   limit 10000) as found
           group by tool order by tool limit 100
          """;

  /// A copy has made what its source had made, and the source may go on from there.
  private static final List<String> COPY =
      List.of(
          """
          insert into made_call (run, call, tool, superstep, called_at, content, erred)
          select pair.copy, call, tool, superstep, called_at, content, erred
            from unnest(:runs::text[], :copies::text[]) as pair (run, copy)
            join made_call on made_call.run = pair.run
          """,
          """
          insert into call_lineage (run, source, superstep)
          select pair.copy, lineage.source, lineage.superstep
            from unnest(:runs::text[], :copies::text[]) as pair (run, copy)
            join run as copy on copy.id = pair.copy
           cross join lateral (
                 select pair.run as source, copy.superstep
                  union all
                 select source, superstep from call_lineage where run = pair.run) as lineage
          """);

  private final JdbcClient jdbc;

  CallLineage(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param fork is stored already
  /// @param superstep of the source behind which the fork goes on
  public void fork(String fork, String source, int superstep) {
    jdbc.sql(FORK).param("fork", fork).param("run", source).param("superstep", superstep).update();
  }

  /// @param copies ids of runs that are stored already, in the order of `runs`
  void copy(List<String> runs, List<String> copies) {
    for (var sql : COPY) {
      jdbc.sql(sql)
          .param("runs", runs.toArray(String[]::new))
          .param("copies", copies.toArray(String[]::new))
          .update();
    }
  }

  /// How many calls that may be made once only a fork from there might repeat: tool → calls with
  /// other arguments each.
  public Map<String, Integer> callsBehind(String run, int superstep) {
    var calls = new TreeMap<String, Integer>();
    jdbc.sql(CALLS)
        .param("run", run)
        .param("superstep", superstep)
        .query((RowCallbackHandler) row -> calls.put(row.getString(1), row.getInt(2)));
    return calls;
  }
}
