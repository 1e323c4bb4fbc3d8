package dev.superstep.tenant;

import dev.superstep.context.Glob;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What of its tenant a call that is limited may see and touch: graphs by their names, with all of
/// their runs or with the caller's own.
///
/// A run is of the graph that it runs, and of the one of the outermost run that has begun it. A
/// thread is within reach if all its runs are, and its owner is whoever made it. Items of the
/// memory are the caller's own. Of the tasks for workers some types may be within reach, of the
/// runs that are.
///
/// @param caller whose own things are meant
/// @param all graphs of which everything is within reach, by names as rows have them
/// @param own graphs of which the caller's own runs and threads are, too
/// @param tasks for workers that are; empty: those of all runs that are
public record Reach(String caller, List<Glob> all, List<Glob> own, List<TaskReach> tasks) {
  /// Behind it stands which graph within a definition it is; it is within reach as that is.
  private static final String INLINE = "#";

  private static final ScopedValue<CallReach> CURRENT = ScopedValue.newInstance();

  public Reach {
    all = List.copyOf(all);
    own = List.copyOf(own);
    tasks = List.copyOf(tasks);
  }

  /// One to the tasks of its runs, too.
  public Reach(String caller, List<Glob> all, List<Glob> own) {
    this(caller, all, own, List.of());
  }

  /// Tasks for workers: those of these types in runs of these graphs.
  ///
  /// @param graphs by names as rows have them
  public record TaskReach(List<Glob> types, List<Glob> graphs) {
    public TaskReach {
      types = List.copyOf(types);
      graphs = List.copyOf(graphs);
    }

    private String expression() {
      return "%s %s".formatted(anyOf(types), anyOf(graphs));
    }
  }

  /// Is told the reach of a call once it is known which operation it asks for. Until then nothing
  /// is within reach.
  private static final class CallReach {
    private Optional<Reach> reach = Optional.of(new Reach("", List.of(), List.of()));
  }

  /// Answers a request of a caller that is limited in some of what it may do.
  public static <T, E extends Throwable> T limited(ScopedValue.CallableOp<T, E> work) throws E {
    return ScopedValue.where(CURRENT, new CallReach()).call(work);
  }

  /// Says what the call that this thread answers may reach from now on; empty: all of its tenant.
  /// Nothing happens in the call of somebody who is not limited.
  public static void take(Optional<Reach> reach) {
    if (CURRENT.isBound()) {
      CURRENT.get().reach = reach;
    }
  }

  /// Of the request that this thread answers; empty: it is not limited, or there is none.
  public static Optional<Reach> current() {
    return CURRENT.isBound() ? CURRENT.get().reach : Optional.empty();
  }

  /// The name as rows have it, of what this request calls graph `name`; of one that is not within
  /// reach a name that nothing has.
  public static String graph(String name) {
    var own = Tenant.current().own(name);
    return admitsGraph(own) ? own : Tenant.nobodys(own);
  }

  /// Whether the graph of this name, as rows have it, is within reach of this request.
  public static boolean admitsGraph(String name) {
    return current().filter(it -> !it.hasGraph(name)).isEmpty();
  }

  /// Whether tasks of this type are within reach of this request.
  public static boolean admitsTasks(String type) {
    return current()
        .filter(it -> !it.tasks.isEmpty())
        .filter(it ->
            it.tasks.stream()
                .flatMap(task -> task.types().stream())
                .noneMatch(glob -> glob.matches(type)))
        .isEmpty();
  }

  private boolean hasGraph(String name) {
    var definition = name.split(INLINE, 2)[0];
    return Stream.concat(all.stream(), own.stream()).anyMatch(it -> it.matches(definition));
  }

  /// Whether there are graphs of which the caller reaches nothing but its own.
  public boolean hasOwner() {
    return !own.isEmpty();
  }

  /// The same with what another grant adds to it.
  public Reach plus(Reach other) {
    return new Reach(
        caller, joined(all, other.all), joined(own, other.own), joined(tasks, other.tasks));
  }

  private static <T> List<T> joined(List<T> some, List<T> others) {
    return Stream.concat(some.stream(), others.stream()).distinct().toList();
  }

  /// A regular expression of PostgreSQL that matches the names that one of these does. It matches
  /// no name if there are none.
  public static String expression(List<Glob> patterns) {
    return whole(anyOf(patterns));
  }

  /// One that matches the type of a task and the name of its graph, with a space between, which
  /// neither has, if the task is within reach.
  public String taskExpression() {
    return whole(
        tasks.stream().map(TaskReach::expression).collect(Collectors.joining("|", "(?:", ")")));
  }

  private static String whole(String expression) {
    return "^" + expression + "(?:" + INLINE + ".*)?$";
  }

  private static String anyOf(List<Glob> patterns) {
    return patterns.stream()
        .map(it -> expression(it.toString()))
        .collect(Collectors.joining("|", "(?:", ")"));
  }

  private static String expression(String glob) {
    return glob.codePoints()
        .mapToObj(it ->
            switch (it) {
              case '*' -> "[^" + INLINE + "]*";
              case '?' -> "[^" + INLINE + "]";
              default ->
                  Character.isLetterOrDigit(it)
                      ? Character.toString(it)
                      : "\\" + Character.toString(it);
            })
        .collect(Collectors.joining());
  }
}
