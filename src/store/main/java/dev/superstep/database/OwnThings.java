package dev.superstep.database;

import dev.superstep.database.OwnRows.RowCondition;
import dev.superstep.tenant.Tenant;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Finds out whether what a request names is within its reach. What is not there is: whoever looks
/// for it finds nothing. Reads nothing in requests that are not limited.
@Component
public class OwnThings {
  private final JdbcClient jdbc;

  OwnThings(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// The id of a run, or one that nothing has. A run is within reach if its thread is, too, whoever
  /// has started it.
  ///
  /// @param id as rows have it
  public String run(String id) {
    return reached(id, "run.id = :id");
  }

  /// The id of a task for workers, or one that nothing has.
  public String task(String id) {
    return OwnRows.tasks("task", "run")
            .filter(it ->
                isOut(
                    "select 1 from task join run on run.id = task.run where task.id = :id and (%s) is not true"
                        .formatted(it.text()),
                    id,
                    it))
            .isPresent()
        ? Tenant.nobodys(id)
        : id;
  }

  /// Whether a run is within reach.
  public boolean reachesRun(String id) {
    return run(id).equals(id);
  }

  /// The same with the id of a call of the LangGraph API, which may be that of a run.
  public String call(String id) {
    return reached(id, "run.id = coalesce((select run from langgraph_run where id = :id), :id)");
  }

  /// Whether a run, or a call, is within reach.
  public boolean reachesCall(String id) {
    return call(id).equals(id);
  }

  private String reached(String id, String which) {
    var runs = OwnRows.runs("run");
    var threads = OwnRows.threads("thread");
    if (runs.isEmpty() || threads.isEmpty()) {
      return id;
    }
    var within =
        "(%s or exists (select from thread where thread.id = run.thread_id and %s))"
            .formatted(runs.get().text(), threads.get().text());
    var sql = "select 1 from run where %s and (%s) is not true".formatted(which, within);
    return isOut(sql, id, runs.get(), threads.get()) ? Tenant.nobodys(id) : id;
  }

  /// The id of a thread, or one that nothing has.
  public String thread(String id) {
    return admitsThread(id) ? id : Tenant.nobodys(id);
  }

  /// Whether a thread is within reach, or there is none.
  ///
  /// @param id as rows have it
  public boolean admitsThread(String id) {
    var threads = OwnRows.threads("thread");
    return threads
        .filter(it ->
            isOut(
                "select 1 from thread where thread.id = :id and (" + it.text() + ") is not true",
                id,
                it))
        .isEmpty();
  }

  private boolean isOut(String sql, String id, RowCondition... conditions) {
    var statement = jdbc.sql("select exists (" + sql + ")").param("id", id);
    for (var condition : conditions) {
      statement = statement.params(condition.parameters());
    }
    return statement.query(Boolean.class).single();
  }
}
