package dev.superstep.run;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Limits;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/// What tests do to runs.
public record RunActions(
    TestGraphs graphs,
    RunService runs,
    RunQueries queries,
    ThreadQueries threads,
    RunWatch watch,
    JdbcClient jdbc) {
  static final Duration LONG = Duration.ofSeconds(30);

  /// A graph of this name does not exist yet, in this JVM.
  public static String fresh(String name) {
    return name + "-" + UUID.randomUUID().toString().substring(0, 8);
  }

  public static StartRun request(String graph) {
    return new StartRun(
        graph,
        Optional.empty(),
        ObjectValue.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        StartRun.Options.DEFAULT);
  }

  public static StartRun request(String graph, ObjectValue input) {
    return with(request(graph), input);
  }

  static StartRun request(String graph, Map<String, String> metadata) {
    var it = request(graph);
    return new StartRun(
        it.graph(),
        it.version(),
        it.input(),
        it.context(),
        it.id(),
        it.thread(),
        metadata,
        it.options());
  }

  private static StartRun with(StartRun it, ObjectValue input) {
    return new StartRun(
        it.graph(),
        it.version(),
        input,
        it.context(),
        it.id(),
        it.thread(),
        it.metadata(),
        it.options());
  }

  static StartRun withId(StartRun it, String id) {
    return new StartRun(
        it.graph(),
        it.version(),
        it.input(),
        it.context(),
        Optional.of(id),
        it.thread(),
        it.metadata(),
        it.options());
  }

  public static StartRun onThread(StartRun it, String thread) {
    return new StartRun(
        it.graph(),
        it.version(),
        it.input(),
        it.context(),
        it.id(),
        Optional.of(thread),
        it.metadata(),
        it.options());
  }

  public static StartRun with(StartRun it, StartRun.Options options) {
    return new StartRun(
        it.graph(),
        it.version(),
        it.input(),
        it.context(),
        it.id(),
        it.thread(),
        it.metadata(),
        options);
  }

  public static ResumeRun resume(String run) {
    return new ResumeRun(run, List.of(), List.of(), Optional.empty(), Limits.NONE);
  }

  public String start(String graph) {
    return runs.start(request(graph)).run();
  }

  /// Waits for the run to rest and expects `status`.
  public RunView await(String run, RunStatus status) {
    try {
      watch.awaitRest(run, LONG);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    var view = queries.run(run);
    if (view.summary().status() != status) {
      throw new AssertionError(
          "expected %s, but run %s is %s: %s"
              .formatted(status, run, view.summary().status(), view.summary().standing().error()));
    }
    return view;
  }

  public List<String> log(String run) {
    var log = queries.state(run, Optional.empty()).state().getOr("log", ListValue.empty());
    return log instanceof ListValue list
        ? list.stream()
            .map(it -> it instanceof Value.Text(var text) ? text : it.toString())
            .toList()
        : List.of();
  }

  public List<String> events(String run) {
    return queries.events(run, 0, Set.of(), 1000).stream().map(it -> it.event().type()).toList();
  }

  public RunStatus status(String run) {
    return queries.summary(run).status();
  }

  long count(String table) {
    return jdbc.sql("select count(*) from " + table).query(Long.class).single();
  }

  /// The exception `call` ends with.
  public static ServiceException refused(Runnable call) {
    try {
      call.run();
    } catch (ServiceException e) {
      return e;
    }
    throw new AssertionError("it was not refused");
  }
}
