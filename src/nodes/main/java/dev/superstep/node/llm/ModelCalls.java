package dev.superstep.node.llm;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Span;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.json.Json;
import dev.superstep.model.Model;
import dev.superstep.model.ModelAnswer;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelPermits;
import dev.superstep.model.ModelRequest;
import dev.superstep.model.SpendingGate;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Calls models for tasks, within the budgets of their runs, and counts the usage.
final class ModelCalls {
  private final MeterRegistry meters;
  private final CountedNodes nodes;
  private final SpendingGate gate;
  private final PacedCalls pacedCalls;
  private final ModelPermits permits;

  ModelCalls(
      MeterRegistry meters,
      CountedNodes nodes,
      SpendingGate gate,
      PacedCalls pacedCalls,
      ModelPermits permits) {
    this.meters = meters;
    this.nodes = nodes;
    this.gate = gate;
    this.pacedCalls = pacedCalls;
    this.permits = permits;
  }

  /// Sends one request. Its usage counts whether the answer is usable or not.
  ///
  /// @throws TaskFailedException if its graph may not use the model, or a budget of the run or of
  ///   the operator is used up
  /// @throws dev.superstep.engine.run.TaskParkedException if the limits of the model leave no room
  ModelAnswer ask(NodeCall call, Model model, ModelRequest request)
      throws ModelException, InterruptedException {
    requirePermit(call, model);
    return model.limits().isEmpty()
        ? made(call, model, request)
        : pacedCalls.ask(call, model, request, () -> made(call, model, request));
  }

  /// Sends one request of a task that may be parked before it is done: what is answered is kept,
  /// also by a model without limits.
  ModelAnswer askOnce(NodeCall call, Model model, ModelRequest request)
      throws ModelException, InterruptedException {
    requirePermit(call, model);
    return model.limits().isEmpty()
        ? pacedCalls.askOnce(call, model, request, () -> made(call, model, request))
        : ask(call, model, request);
  }

  /// @throws TaskFailedException if the call's graph may not use the model
  void requirePermit(NodeCall call, Model model) {
    permits
        .refusalOfCall(model, call.run().graph())
        .ifPresent(it -> {
          throw TaskFailedException.permanent(ModelPermits.NOT_ALLOWED, it);
        });
  }

  /// The models of a list in the order in which they are to be asked.
  List<Model> inOrder(NodeCall call, List<Model> models, ModelRequest request) {
    return pacedCalls.inOrder(call, models, request);
  }

  /// A model of a list has failed, and the next one is asked.
  void failed(Model model, TaskError error) {
    pacedCalls.failed(model, error);
  }

  /// The call needs no turn of a model of the list any more.
  void leave(NodeCall call, Model model) {
    pacedCalls.leave(call, model);
  }

  private ModelAnswer made(NodeCall call, Model model, ModelRequest request)
      throws ModelException, InterruptedException {
    var charge = CallCharge.begin(gate, call, model, request);
    long begun = System.nanoTime();
    var outcome = "interrupted";
    var span = ModelSpan.begin(call.span(), model, request);
    try (var _ = span.enter()) {
      var answer = model.call(request.within(span.traceparent()));
      outcome = "answered";
      ModelSpan.record(span, answer);
      spent(call, model, answer.usage());
      charge.answered(answer.usage());
      return answer;
    } catch (ModelException e) {
      outcome = e.error().code();
      if (isRefused(e) && model.prices().isPresent()) {
        call.meter().charge(BigDecimal.ZERO);
      }
      charge.failed(e);
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
    call.meter().add(usage.input(), usage.output(), usage.cached());
    model.prices().flatMap(it -> it.costOf(usage)).ifPresent(call.meter()::charge);
    count(call, model, "input", usage.input());
    count(call, model, "output", usage.output());
    if (!usage.cached().isNothing()) {
      countCached(call, model, "read", usage.cached().read());
      countCached(call, model, "write", usage.cached().written());
    }
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

  private void countCached(NodeCall call, Model model, String type, long tokens) {
    meters
        .counter("superstep.model.cached", tags(call, model).and("type", type))
        .increment((double) tokens);
  }

  private Tags tags(NodeCall call, Model model) {
    return nodes
        .tags(call.run().graph(), call.task().key().node().value())
        .and("model", model.name());
  }

  /// The span of a model call, named by OpenTelemetry's conventions.
  private static final class ModelSpan {
    private ModelSpan() {}

    static Span begin(Span parent, Model model, ModelRequest request) {
      if (!parent.isRecorded()) {
        return parent.begin("", Span.Kind.CLIENT);
      }
      var span = parent.begin("chat " + model.providerModel(), Span.Kind.CLIENT);
      span.setAttribute("gen_ai.operation.name", "chat");
      span.setAttribute("gen_ai.provider.name", model.provider());
      span.setAttribute("gen_ai.request.model", model.providerModel());
      span.setAttribute("gen_ai.output.type", request.outputSchema().isPresent() ? "json" : "text");
      span.setAttribute("superstep.model", model.name());
      options(span, model.standardOptions().plusAll(request.options()));
      if (span.takesContent()) {
        span.setAttribute("gen_ai.input.messages", Json.write(ListValue.of(messages(request))));
      }
      return span;
    }

    private static List<Value> messages(ModelRequest request) {
      return request.messages().stream()
          .map(it -> message(it.getOr("role", Value.of("user")), it.getOr("content", Value.of(""))))
          .toList();
    }

    private static Value message(Value role, Value content) {
      var part = ObjectValue.of("type", "text").plus("content", content);
      return ObjectValue.of("role", role).plus("parts", ListValue.of(part));
    }

    private static void options(Span span, ObjectValue options) {
      options.forEach((name, value) -> {
        var key = "gen_ai.request." + name;
        switch (value) {
          case Value.Int(long number) -> span.setAttribute(key, number);
          case Value.Real(double number) -> span.setAttribute(key, number);
          case Value _ -> {}
        }
      });
    }

    static void record(Span span, ModelAnswer answer) {
      if (!span.isRecorded()) {
        return;
      }
      span.setAttribute("gen_ai.response.model", answer.model());
      span.setAttribute("gen_ai.response.finish_reasons", List.of(answer.finishReason()));
      span.setAttribute("gen_ai.usage.input_tokens", answer.usage().input());
      span.setAttribute("gen_ai.usage.output_tokens", answer.usage().output());
      var cached = answer.usage().cached();
      if (!cached.isNothing()) {
        span.setAttribute("gen_ai.usage.cache_read.input_tokens", cached.read());
        span.setAttribute("gen_ai.usage.cache_creation.input_tokens", cached.written());
      }
      if (span.takesContent()) {
        var said = message(Value.of("assistant"), Value.of(answer.text()));
        span.setAttribute("gen_ai.output.messages", Json.write(ListValue.of(said)));
      }
    }
  }
}
