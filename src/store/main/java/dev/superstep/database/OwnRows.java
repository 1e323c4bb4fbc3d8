package dev.superstep.database;

import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Tenant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Keeps lists to the rows of the tenant whose request is answered, and to what of it is within the
/// request's reach.
public final class OwnRows {
  /// The parameter of [#only].
  public static final String TENANT = "tenant";

  private static final String OF_ROOT =
      """
      coalesce((select %3$s
                  from child_run join run as %1$s on %1$s.id = child_run.root
                 where child_run.child = %2$s.id), false)
      """;

  private OwnRows() {}

  /// An SQL condition, with the parameter `:tenant`; empty: all rows are wanted.
  ///
  /// @param id column of an id
  public static Optional<String> only(String id) {
    return Tenant.ofLists().map(it -> only(it, id));
  }

  /// The planner takes the indexes of lists of one tenant only where it sees that these have its
  /// rows; those of the default tenant are in the other ones.
  private static String only(Tenant tenant, String id) {
    return tenant.isDefault()
        ? "strpos(%s, '/') = 0".formatted(id)
        : "tenant_of(%1$s) = :tenant and strpos(%1$s, '/') > 0".formatted(id);
  }

  /// The value of the parameter; "": all rows are wanted.
  public static String tenant() {
    return Tenant.ofLists().map(Tenant::name).orElse("");
  }

  /// A condition on rows, and what it has for parameters.
  ///
  /// @param text SQL
  public record RowCondition(String text, Map<String, String> parameters) {
    public RowCondition {
      parameters = Map.copyOf(parameters);
    }
  }

  /// Which runs are within reach; empty: all of the tenant.
  ///
  /// @param run name of the table `run` in the statement
  public static Optional<RowCondition> runs(String run) {
    return Reach.current().map(it -> condition(it, runs(it, run)));
  }

  /// Which tasks for workers are; empty: all of the tenant.
  ///
  /// @param task name of the table `task` in the statement
  /// @param run name of the table `run`, which has the run of the task
  public static Optional<RowCondition> tasks(String task, String run) {
    return Reach.current()
        .map(it -> condition(it, it.tasks().isEmpty() ? runs(it, run) : typed(task, run)));
  }

  private static String typed(String task, String run) {
    var root = "root_of_" + run;
    return "(%s or %s)"
        .formatted(typeOf(task, run), OF_ROOT.formatted(root, run, typeOf(task, root)));
  }

  private static String typeOf(String task, String run) {
    return "(%s.type || ' ' || %s.graph) ~ :reach_tasks".formatted(task, run);
  }

  /// Which threads are; empty: all of the tenant.
  ///
  /// @param thread name of the table `thread` in the statement
  public static Optional<RowCondition> threads(String thread) {
    return Reach.current().map(it -> condition(it, threads(it, thread)));
  }

  /// A regular expression of the names of graphs that are; "": all of the tenant.
  public static String graphs() {
    return Reach.current()
        .map(it ->
            Reach.expression(List.of(it.all(), it.own()).stream().flatMap(List::stream).toList()))
        .orElse("");
  }

  /// A value that is computed for each row: the planner would compute what exists for all rows.
  private static String runs(Reach reach, String run) {
    var root = "root_of_" + run;
    if (reach.all().isEmpty()) {
      // a run has the caller of the one that has begun it: rows are found by the index of callers
      return "(%1$s.caller = :reach_caller and %1$s.caller <> '' and (%2$s or %3$s))"
          .formatted(run, graphOwn(run), OF_ROOT.formatted(root, run, graphOwn(root)));
    }
    return "(%s or %s)".formatted(either(run), OF_ROOT.formatted(root, run, either(root)));
  }

  private static String graphOwn(String run) {
    return run + ".graph ~ :reach_own";
  }

  private static String either(String run) {
    return "(%1$s.graph ~ :reach_all or %1$s.graph ~ :reach_own and %1$s.caller = :reach_caller)"
        .formatted(run);
  }

  private static String threads(Reach reach, String thread) {
    var run = "run_of_" + thread;
    var mine = "%s.owner is not distinct from :reach_caller".formatted(thread);
    return """
    (%1$s coalesce((select bool_and(%2$s.graph ~ :reach_all or %2$s.graph ~ :reach_own and %4$s)
                      from run as %2$s where %2$s.thread_id = %3$s.id), %4$s))
    """
        .formatted(
            reach.all().isEmpty() ? "%s.owner = :reach_caller and".formatted(thread) : "",
            run,
            thread,
            mine);
  }

  private static RowCondition condition(Reach reach, String text) {
    var values = new HashMap<String, String>();
    values.put("reach_caller", reach.caller());
    values.put("reach_all", Reach.expression(reach.all()));
    values.put("reach_own", Reach.expression(reach.own()));
    values.put("reach_tasks", reach.taskExpression());
    return new RowCondition(text, values);
  }
}
