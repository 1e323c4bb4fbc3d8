package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.onThread;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.RunActions.with;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Autowired;

/// Conversations that are busy: what tests of them share.
public abstract class ThreadScenarios {
  @Autowired public RunActions on;

  /// Says `a`, then waits for the gate in `hold` as long as the input asks for it, then says `b`.
  public String held(CountDownLatch gate) {
    return held(gate, () -> {});
  }

  /// @param entered told when a task waits for the gate
  public String held(CountDownLatch gate, Runnable entered) {
    var name = fresh("held");
    NodeRunner hold =
        call -> {
          if (call.state().channels().getOr("hold", Value.NULL).equals(Value.of(true))) {
            entered.run();
            gate.await();
          }
          return new Outcome.Done(NodeResult.of(Change.update("hold", Value.of(false))));
        };
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("hold", hold)
                .node("b", says("b"))
                .edge("__start__", "a")
                .edge("a", "hold")
                .edge("hold", "b"));
    return name;
  }

  public String asking() {
    var name = fresh("asks");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("ask", asks(InterruptRequest.of("why", Value.of("Well?"))))
                .edge("__start__", "a")
                .edge("a", "ask"));
    return name;
  }

  public static StartRun post(String graph, String thread, String text, IfBusy ifBusy) {
    return post(graph, thread, ObjectValue.of("log", Value.of(text)), ifBusy);
  }

  public static StartRun holds(String graph, String thread, String text) {
    var input = ObjectValue.of("log", Value.of(text)).plus("hold", Value.of(true));
    return post(graph, thread, input, IfBusy.REJECT);
  }

  public static StartRun post(String graph, String thread, ObjectValue input, IfBusy ifBusy) {
    var options = StartRun.Options.DEFAULT.ifBusy(ifBusy);
    return with(onThread(request(graph, input), thread), options);
  }

  public void awaitCheckpoint(String run, int number) {
    await()
        .untilAsserted(() ->
            assertThat(on.queries().summary(run).standing().checkpoint())
                .isGreaterThanOrEqualTo(number));
  }

  public List<String> threadLog(String thread) {
    var log = on.threads().thread(thread).state().getOr("log", ListValue.empty());
    return ((ListValue) log).stream().map(it -> ((Value.Text) it).value()).toList();
  }

  public String tryStart(StartRun request) {
    return tried(() -> on.runs().start(request).run());
  }

  static String tried(Supplier<String> call) {
    try {
      return call.get();
    } catch (ServiceException e) {
      return e.code().code();
    }
  }

  public List<String> inOrder(String thread) {
    return on.jdbc()
        .sql("select id from run where thread_id = ? order by ordinal")
        .param(thread)
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// One of many calls at once.
  public interface Post {
    String run(int number);
  }

  public static List<String> atOnce(int posts, Post post) throws Exception {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls =
          IntStream.range(0, posts).mapToObj(i -> (Callable<String>) () -> post.run(i)).toList();
      var outcomes = new ArrayList<String>();
      for (var future : executor.invokeAll(calls)) {
        outcomes.add(future.get());
      }
      return outcomes;
    }
  }
}
