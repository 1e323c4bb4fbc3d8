package dev.superstep.agent;

import dev.superstep.node.FunctionCall;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeException;
import dev.superstep.node.NodeFunction;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A function of which a test says what each of its calls reports.
final class Announcer implements NodeFunction {
  private final Queue<Report> reports = new ConcurrentLinkedQueue<>();
  private final AtomicInteger calls = new AtomicInteger();

  enum Ending {
    DONE,
    FAILED
  }

  /// @param gate before the call ends
  record Report(List<String> atOnce, CountDownLatch gate, List<String> atEnd, Ending ending) {
    static Report of(List<String> atOnce, List<String> atEnd) {
      return new Report(atOnce, new CountDownLatch(0), atEnd, Ending.DONE);
    }
  }

  void reports(Report... next) {
    reports.clear();
    reports.addAll(List.of(next));
    calls.set(0);
  }

  int calls() {
    return calls.get();
  }

  @Override
  public FunctionResult run(GraphState state, @Nullable ObjectValue input, FunctionCall call)
      throws Exception {
    calls.incrementAndGet();
    var report = reports.size() > 1 ? reports.remove() : reports.element();
    report.atOnce().forEach(it -> call.emit("word", it));
    report.gate().await();
    if (report.ending() == Ending.FAILED) {
      throw NodeException.retryable("flaky", "comes to nothing");
    }
    var result = FunctionResult.done().update("log", List.of("work"));
    for (var word : report.atEnd()) {
      result = result.event("word", word);
    }
    return result;
  }
}
