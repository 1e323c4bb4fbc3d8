package dev.superstep.node;

import dev.superstep.engine.checkpoint.StepRecord.StepEnd;
import dev.superstep.engine.node.LiveText;
import dev.superstep.engine.node.Span;
import dev.superstep.engine.node.StepJournal.JournaledStep;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.SpendingGate.CallUsage;
import dev.superstep.model.SpendingGate.Reservation;
import dev.superstep.node.AgentScope.AgentRun;
import dev.superstep.node.AgentScope.Callee;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A call of an agent, as a step of its task. It ends once, on any thread.
public final class AgentCall {
  private static final String CLASS = "exception";

  private final AgentRun agentRun;
  private final JournaledStep step;
  private final Callee callee;
  private final String asked;
  private final Span span;
  private final AtomicReference<Reservation> reserved;
  private final AtomicBoolean over = new AtomicBoolean();
  private @Nullable LiveText text;
  private String half = "";

  /// @param asked the model or the tool
  private AgentCall(
      AgentRun agentRun,
      JournaledStep step,
      Callee callee,
      String asked,
      Span span,
      Reservation reserved) {
    this.agentRun = agentRun;
    this.step = step;
    this.callee = callee;
    this.asked = asked;
    this.span = span;
    this.reserved = new AtomicReference<>(reserved);
  }

  static AgentCall begin(AgentRun agentRun, JournaledStep step, Callee callee, AgentRequest request)
      throws InterruptedException {
    var name = request.model();
    if (step.end().isPresent() || callee == Callee.MEMORY) {
      return new AgentCall(agentRun, step, callee, name, Span.NONE, Reservation.NONE);
    }
    var parent = agentRun.call().span();
    if (callee == Callee.TOOL) {
      var span = parent.begin("execute_tool " + name, Span.Kind.INTERNAL);
      span.setAttribute("gen_ai.operation.name", "execute_tool");
      span.setAttribute("gen_ai.tool.name", name);
      return new AgentCall(agentRun, step, callee, name, span, Reservation.NONE);
    }
    var reserved = reserved(agentRun, request);
    var span = parent.begin("chat " + name, Span.Kind.CLIENT);
    span.setAttribute("gen_ai.operation.name", "chat");
    span.setAttribute("gen_ai.request.model", name);
    return new AgentCall(agentRun, step, callee, name, span, reserved);
  }

  /// Draws on the budgets of the operator and of the run. The function cannot catch that one of
  /// them is used up.
  private static Reservation reserved(AgentRun agentRun, AgentRequest request)
      throws InterruptedException {
    var meter = agentRun.call().meter();
    try {
      meter.check();
      var reserved = agentRun.rates().reserve(agentRun.call().run(), request);
      try {
        meter.begin();
      } catch (TaskFailedException e) {
        reserved.settle(CallUsage.NOTHING);
        throw e;
      }
      return reserved;
    } catch (TaskFailedException e) {
      agentRun.steps().fail(e);
      throw e;
    }
  }

  /// Counts a call that a killed attempt has made and paid for.
  private static void count(AgentRun agentRun) {
    try {
      agentRun.call().meter().begin();
    } catch (TaskFailedException e) {
      agentRun.steps().fail(e);
      throw e;
    }
  }

  /// What an earlier attempt has recorded; empty: the call is to be made.
  ///
  /// @throws RuntimeException what it has failed with: of the class that it had if one can be made
  ///   of a message, else a [StepException]
  public Optional<Value> known() {
    if (step.end().orElse(null) instanceof StepEnd.StepFailure(var error)) {
      throw failure(error);
    }
    return step.end().map(AgentCall::value);
  }

  private static RuntimeException failure(TaskError error) {
    var recorded = new StepException(error, null);
    try {
      var loader = Thread.currentThread().getContextClassLoader();
      var type = Class.forName(error.details().textOrEmpty(CLASS), false, loader);
      return type.asSubclass(RuntimeException.class)
          .getConstructor(String.class)
          .newInstance(error.message());
    } catch (ReflectiveOperationException | ClassCastException _) {
      return recorded;
    }
  }

  private static Value value(StepEnd end) {
    return switch (end) {
      case StepEnd.StepResult(var result) -> result;
      case StepEnd.StepFailure(var error) -> throw new StepException(error, null);
    };
  }

  /// Makes the call, as [#ended] and [#failed] say. What a tool calls are steps of their own.
  public Value made(Callable<Value> body) throws Exception {
    var known = known();
    if (known.isPresent()) {
      return known.get();
    }
    Value result;
    try {
      result = within(body);
    } catch (Exception e) {
      failed(e);
      throw e;
    }
    return ended(result);
  }

  /// Runs what is called. What a tool calls are steps of their own, within this one.
  public <T extends @Nullable Object> T within(Callable<T> body) throws Exception {
    return callee == Callee.TOOL
        ? agentRun.scope(step.name() + "/" + step.ordinal()).within(body)
        : AgentScope.outside(body);
  }

  /// The call has a result. When this returns, it is on disk.
  ///
  /// @return the result that counts: an attempt that is given up may have recorded another one
  /// @throws StepException if there is no room for it
  public Value ended(Value result) {
    if (over.getAndSet(true)) {
      throw new IllegalStateException("step '%s' has ended before".formatted(step.name()));
    }
    span.end();
    closeText();
    return value(recorded(new StepEnd.StepResult(StepResults.write(step.name(), result))));
  }

  /// The call has failed, and may be made again.
  public void failed(Throwable failure) {
    if (failure instanceof Error || over.getAndSet(true)) {
      return;
    }
    if (!hasText() && AgentRefusals.has(failure)) {
      settle(CallUsage.REFUSED);
    }
    var exception = failure instanceof Exception e ? e : new IllegalStateException(failure);
    var error =
        StepResults.storable(
            step.name(),
            FunctionSteps.error(step.name(), exception)
                .with(CLASS, Value.of(exception.getClass().getName())));
    span.fail(error.code());
    span.end();
    closeText();
    StepEnd _ = recorded(new StepEnd.StepFailure(error));
  }

  private StepEnd recorded(StepEnd end) {
    try {
      return agentRun.steps().ended(step, end);
    } catch (InterruptedException e) {
      throw AgentScope.abandoned(e);
    }
  }

  /// A model has answered, now or in an earlier attempt.
  ///
  /// @param model as its provider calls it
  public void spent(String model, Usage usage) {
    var meter = agentRun.call().meter();
    if (step.end().isPresent()) {
      if (!agentRun.countsKnown()) {
        return;
      }
      count(agentRun);
    }
    span.setAttribute("gen_ai.response.model", model);
    span.setAttribute("gen_ai.usage.input_tokens", usage.input());
    span.setAttribute("gen_ai.usage.output_tokens", usage.output());
    meter.add(usage.input(), usage.output(), usage.cached());
    var cost = cost(model, usage);
    cost.ifPresent(meter::charge);
    if (usage.total() > 0) {
      settle(new CallUsage(1, usage.total(), cost.orElse(BigDecimal.ZERO)));
    }
  }

  /// Providers answer with the name of a version, such as `gpt-4o-2024-08-06` to `gpt-4o`.
  private Optional<BigDecimal> cost(String answering, Usage usage) {
    var rates = agentRun.rates();
    return rates
        .find(answering)
        .or(() -> rates.find(asked))
        .flatMap(it -> it.costOf(usage))
        .map(BigDecimal.ZERO::max);
  }

  /// Where it is not known what a call has taken, all that was reserved counts as spent.
  private void settle(CallUsage taken) {
    try {
      reserved.getAndSet(Reservation.NONE).settle(taken);
    } catch (InterruptedException e) {
      throw AgentScope.abandoned(e);
    }
  }

  /// Publishes a piece of the answer.
  public synchronized void piece(String piece) {
    if (piece.isEmpty()) {
      return;
    }
    var live = text;
    if (live == null) {
      live = agentRun.call().watchers().begin(Optional.empty());
      text = live;
    }
    // Half of a character waits for the other one.
    var all = half + piece;
    boolean split = Character.isHighSurrogate(all.charAt(all.length() - 1));
    half = split ? all.substring(all.length() - 1) : "";
    var whole = split ? all.substring(0, all.length() - 1) : all;
    if (!whole.isEmpty()) {
      live.append(whole);
    }
  }

  /// Nobody waits for its end any more: it is made again if the agent comes there again.
  public void dropped() {
    if (!over.getAndSet(true)) {
      span.end();
      closeText();
    }
  }

  private synchronized boolean hasText() {
    return text != null;
  }

  private synchronized void closeText() {
    if (text != null) {
      text.close();
    }
  }
}
