package dev.superstep.node.llm;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.model.Model;
import dev.superstep.model.ModelAnswer;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.math.BigDecimal;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/// Calls models for tasks, within the budgets of their runs, and counts the usage.
@Component
final class ModelCalls {
  private final MeterRegistry meters;
  private final CountedNodes nodes;

  ModelCalls(MeterRegistry meters, CountedNodes nodes) {
    this.meters = meters;
    this.nodes = nodes;
  }

  /// Sends one request. Its usage counts whether the answer is usable or not.
  ///
  /// @throws dev.superstep.engine.task.TaskFailedException if the budget of the run is used up
  ModelAnswer ask(NodeCall call, Model model, ModelRequest request)
      throws ModelException, InterruptedException {
    call.meter().begin();
    long begun = System.nanoTime();
    var outcome = "interrupted";
    var span = ModelSpan.begin(call.span(), model, request);
    try (var _ = span.enter()) {
      var answer = model.call(request.within(span.traceparent()));
      outcome = "answered";
      ModelSpan.record(span, answer);
      spent(call, model, answer.usage());
      return answer;
    } catch (ModelException e) {
      outcome = e.error().code();
      if (isRefused(e) && model.prices().isPresent()) {
        call.meter().charge(BigDecimal.ZERO);
      }
      span.fail(outcome);
      throw e;
    } finally {
      span.end();
      meters
          .timer("superstep.model.calls", tags(call, model).and("outcome", outcome))
          .record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
    }
  }

  private void spent(NodeCall call, Model model, Usage usage) {
    call.meter().add(usage.input(), usage.output());
    model.prices().flatMap(it -> it.costOf(usage)).ifPresent(call.meter()::charge);
    count(call, model, "input", usage.input());
    count(call, model, "output", usage.output());
  }

  /// A provider that answers with an error takes nothing. What an answer costs that was begun and
  /// did not arrive is not known.
  private static boolean isRefused(ModelException e) {
    return e.error().details().has("status");
  }

  private void count(NodeCall call, Model model, String type, long tokens) {
    meters
        .counter("superstep.model.tokens", tags(call, model).and("type", type))
        .increment((double) tokens);
  }

  private Tags tags(NodeCall call, Model model) {
    return nodes
        .tags(call.run().graph(), call.task().key().node().value())
        .and("model", model.name());
  }
}
