package dev.superstep.node.llm;

import dev.superstep.engine.node.Deadline;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.CachedInput;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.TaskParkedException;
import dev.superstep.model.Model;
import dev.superstep.model.ModelAnswer;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelLimits;
import dev.superstep.model.ModelPace;
import dev.superstep.model.ModelPace.CallTurn;
import dev.superstep.model.ModelPace.Grant;
import dev.superstep.model.ModelPace.PacedCall;
import dev.superstep.model.ModelRequest;
import dev.superstep.model.identity.IdentityException;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/// Makes calls of models that have limits when these leave room, and parks the tasks of the others.
/// What a task has been answered before it is parked is kept, so that no call is made twice.
final class PacedCalls {
  /// Of an answer whose length nobody has bounded.
  private static final long OUTPUT_TOKENS = 1_024;

  private static final int CHARS_PER_TOKEN = 4;
  private static final String TOO_LONG = "context_length_exceeded";

  /// Failures of a provider, which the next call probably meets, too.
  private static final Set<String> COOLING =
      Set.of(
          "model_quota_exceeded",
          "model_rate_limited",
          "model_unavailable",
          "model_unreachable",
          "node_timeout");

  private static final Duration COOLDOWN = Duration.ofSeconds(30);
  private static final Duration COOLDOWN_MAX = Duration.ofMinutes(10);

  private final ModelPace pace;

  PacedCalls(ModelPace pace) {
    this.pace = pace;
  }

  /// Makes one call.
  @FunctionalInterface
  interface Making {
    ModelAnswer make() throws ModelException, InterruptedException;
  }

  /// @throws TaskParkedException if there is no room now
  ModelAnswer ask(NodeCall call, Model model, ModelRequest request, Making making)
      throws ModelException, InterruptedException {
    var text = text(model, request);
    var name = digest(text);
    var kept = call.parts().kept(name);
    if (kept.isPresent()) {
      return KeptAnswer.read((ObjectValue) kept.get());
    }
    var grant = turn(call, paced(call, model, request, text));
    try {
      var answer = making.make();
      long tokens = answer.usage().total();
      pace.used(grant, tokens > 0 ? tokens : grant.call().tokens());
      call.parts().keep(name, KeptAnswer.write(answer));
      return answer;
    } catch (ModelException e) {
      boolean refused = e.error().details().has("status");
      if (e.getCause() instanceof IdentityException) {
        pace.unused(grant); // the provider has not been asked
      } else {
        pace.used(grant, refused ? 0 : grant.call().tokens());
      }
      e.error().retryAfter().ifPresent(it -> pace.pause(grant.call(), it));
      if (e.error().code().equals(TOO_LONG)) {
        call.parts().keep(name, KeptAnswer.write(e.error()));
      }
      throw e;
    } catch (TaskFailedException e) {
      pace.unused(grant); // the budget of the run is used up
      throw e;
    } catch (InterruptedException | RuntimeException e) {
      pace.used(grant, grant.call().tokens());
      throw e;
    }
  }

  /// Makes the call of a model without limits, unless the task has its answer already.
  ModelAnswer askOnce(NodeCall call, Model model, ModelRequest request, Making making)
      throws ModelException, InterruptedException {
    var name = digest(text(model, request));
    var kept = call.parts().kept(name);
    if (kept.isPresent()) {
      return KeptAnswer.read((ObjectValue) kept.get());
    }
    var answer = making.make();
    call.parts().keep(name, KeptAnswer.write(answer));
    return answer;
  }

  /// One that has answered the request before its task was parked comes first, and those that have
  /// failed a moment ago come last.
  List<Model> inOrder(NodeCall call, List<Model> models, ModelRequest request) {
    if (models.size() < 2) {
      return models;
    }
    var cooling = pace.cooling(models.stream().map(Model::name).toList());
    var order = new ArrayList<>(models);
    order.sort(Comparator.comparing(it -> cooling.contains(it.name())));
    if (models.stream().anyMatch(it -> it.limits().isPresent())) {
      order.sort(Comparator.comparing(it -> !hasAnswered(call, it, request)));
    }
    return order;
  }

  private static boolean hasAnswered(NodeCall call, Model model, ModelRequest request) {
    return call.parts().kept(digest(text(model, request))).isPresent();
  }

  /// For as long as its provider says, else for half a minute.
  void failed(Model model, TaskError error) {
    if (COOLING.contains(error.code())) {
      var time = error.retryAfter().orElse(COOLDOWN);
      pace.cool(model.name(), time.compareTo(COOLDOWN_MAX) > 0 ? COOLDOWN_MAX : time);
    }
  }

  /// Frees its place in the queue.
  void leave(NodeCall call, Model model) {
    model.limits().ifPresent(it -> pace.leave(paced(call, model, it, 0)));
  }

  private Grant turn(NodeCall call, PacedCall paced) throws InterruptedException {
    switch (pace.ask(paced)) {
      case CallTurn.Now(var grant, var pause) -> {
        try {
          await(pause);
        } catch (InterruptedException e) {
          pace.unused(grant);
          throw e;
        }
        return pace.sent(grant);
      }
      case CallTurn.Later(var pause) ->
          throw new TaskParkedException(
              "model '%s' has no room".formatted(paced.model()), call.clock().plus(pause));
    }
  }

  private static void await(Duration pause) throws InterruptedException {
    if (pause.isPositive()) {
      var over = new CountDownLatch(1);
      try (var _ = WorkPermits.releaseForSibling();
          var _ = Deadline.in(pause, over::countDown)) {
        over.await();
      }
    }
  }

  private static PacedCall paced(
      NodeCall call, Model model, ModelRequest request, ObjectValue text) {
    long input = Canonical.size(text) / CHARS_PER_TOKEN;
    long output = model.outputTokensMax(request).orElse(OUTPUT_TOKENS);
    return paced(call, model, model.limits().orElseThrow(), input + output);
  }

  private static PacedCall paced(NodeCall call, Model model, ModelLimits limits, long tokens) {
    return new PacedCall(
        model.name(), limits, call.idempotencyKey(), Tenant.of(call.run().id()).name(), tokens);
  }

  private static ObjectValue text(Model model, ModelRequest request) {
    var tools = ListValue.builder();
    for (var tool : request.tools()) {
      tools.add(
          ObjectValue.of("name", tool.name())
              .plus("description", tool.description())
              .plus("schema", tool.inputSchema()));
    }
    return ObjectValue.of("model", model.name())
        .plus("messages", ListValue.of(request.messages()))
        .plus("tools", tools.build())
        .plus("schema", request.outputSchema().<Value>map(it -> it).orElse(Value.NULL))
        .plus("options", request.options());
  }

  private static String digest(ObjectValue text) {
    try {
      var sha256 = MessageDigest.getInstance("SHA-256");
      var hash = sha256.digest(Canonical.text(text).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The end of a call in the form in which its task keeps it.
  private static final class KeptAnswer {
    private KeptAnswer() {}

    static ObjectValue write(ModelAnswer answer) {
      var calls = ListValue.builder();
      for (var call : answer.toolCalls()) {
        calls.add(
            ObjectValue.of("id", call.id())
                .plus("name", call.name())
                .plus("arguments", call.arguments()));
      }
      return ObjectValue.of("text", answer.text())
          .plus("calls", calls.build())
          .plus("finish", answer.finishReason())
          .plus("model", answer.model())
          .plus("refusal", answer.refusal())
          .plus("input", answer.usage().input())
          .plus("output", answer.usage().output())
          .plus("cached", answer.usage().cached().read())
          .plus("written", answer.usage().cached().written());
    }

    static ObjectValue write(TaskError refused) {
      return ObjectValue.of("refused", refused.message());
    }

    /// @throws ModelException if that is what it was
    static ModelAnswer read(ObjectValue kept) throws ModelException {
      if (kept.has("refused")) {
        throw new ModelException(TaskError.permanent(TOO_LONG, kept.textOrEmpty("refused")));
      }
      var calls =
          kept.listOrEmpty("calls").stream()
              .map(ObjectValue::orEmpty)
              .map(it ->
                  new ModelAnswer.ToolCall(
                      it.textOrEmpty("id"), it.textOrEmpty("name"), it.textOrEmpty("arguments")))
              .toList();
      return new ModelAnswer(
          kept.textOrEmpty("text"),
          calls,
          kept.textOrEmpty("finish"),
          kept.textOrEmpty("model"),
          kept.textOrEmpty("refusal"),
          new ModelAnswer.Usage(
              kept.findWhole("input").orElse(0L),
              kept.findWhole("output").orElse(0L),
              new CachedInput(
                  kept.findWhole("cached").orElse(0L), kept.findWhole("written").orElse(0L))));
    }
  }
}
