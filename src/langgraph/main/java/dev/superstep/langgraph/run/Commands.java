package dev.superstep.langgraph.run;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.engine.run.InboxMessage;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.RunCall.Launched;
import dev.superstep.langgraph.thread.StateSnapshot;
import dev.superstep.langgraph.thread.ThreadStates;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.MessageService;
import dev.superstep.run.RunQueries;
import dev.superstep.run.SendMessage;
import dev.superstep.run.ThreadQueries;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/// Does what commands ask for, by the same ways as the calls for runs.
@Component
@OnLangGraph
class Commands {
  private static final String RUN = "run_id";
  private static final String RESPONSE = "response";
  private static final String INTERRUPT = "interrupt_id";
  private static final String STRATEGY = "multitask_strategy";
  private static final Value NONE = Value.NULL;

  private final RunRequests requests;
  private final RunLauncher launcher;
  private final RunCalls calls;
  private final RunQueries runs;
  private final ThreadQueries threads;
  private final ThreadStates states;
  private final ThreadListeners listeners;
  private final MessageService messages;

  Commands(
      RunRequests requests,
      RunLauncher launcher,
      RunCalls calls,
      RunQueries runs,
      ThreadQueries threads,
      ThreadStates states,
      ThreadListeners listeners,
      MessageService messages) {
    this.messages = messages;
    this.requests = requests;
    this.launcher = launcher;
    this.calls = calls;
    this.runs = runs;
    this.threads = threads;
    this.states = states;
    this.listeners = listeners;
  }

  /// A command that is not performed.
  static final class CommandRefused extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String error;

    /// @param error as the protocol calls it
    CommandRefused(String error, String message) {
      super(message);
      this.error = error;
    }

    String error() {
      return error;
    }

    String reason() {
      return Objects.requireNonNullElse(getMessage(), error);
    }
  }

  /// @throws CommandRefused with what the protocol calls the error
  /// @throws dev.superstep.problem.ServiceException as the calls for runs do
  ObjectValue perform(String thread, String method, ObjectValue params, IdempotencyKey key) {
    return switch (method) {
      case "run.start" -> start(thread, params, key);
      case "input.respond" -> respond(thread, params, key);
      case "state.get" -> state(thread, params);
      case "input.inject" -> inject(thread, params);
      case "state.listCheckpoints", "state.fork", "agent.getTree" ->
          throw new CommandRefused(
              "not_supported",
              "'%s' is not supported; use run.start, input.respond, input.inject, state.get, or the calls for threads"
                  .formatted(method));
      default ->
          throw new CommandRefused(
              "unknown_command",
              "there is no command '%s'; use run.start, input.respond or state.get"
                  .formatted(method));
    };
  }

  private ObjectValue start(String thread, ObjectValue params, IdempotencyKey key) {
    var strategy = params.getOr("multitaskStrategy", params.getOr(STRATEGY, NONE));
    var body =
        params
            .plus("if_not_exists", "create")
            .plus(STRATEGY, strategy instanceof Value.Null ? Value.of("enqueue") : strategy);
    // A client that forks names the checkpoint in the configuration.
    var at =
        params.objectOrEmpty("config").objectOrEmpty("configurable").getOr("checkpoint_id", NONE);
    var whole = at instanceof Value.Null ? body : body.plus("checkpoint_id", at);
    return launch(thread, requests.read(whole), key);
  }

  private ObjectValue launch(String thread, RunCreate request, IdempotencyKey key) {
    var launched = launcher.launch(Optional.of(thread), request, key, _ -> {});
    listeners.signal(thread);
    return result(launched);
  }

  private static ObjectValue result(Launched launched) {
    return ObjectValue.of(RUN, Tenant.shown(launched.call().id()));
  }

  private ObjectValue respond(String thread, ObjectValue params, IdempotencyKey key) {
    var answers = answers(params);
    var head =
        threads
            .thread(thread)
            .head()
            .orElseThrow(() -> new CommandRefused("no_such_run", "the thread has no run yet"));
    var command =
        ObjectValue.of("resume", answers)
            .plus("update", params.getOr("update", NONE))
            .plus("goto", params.getOr("goto", NONE));
    var request =
        requests.read(
            ObjectValue.builder()
                .put("assistant_id", Tenant.shown(assistant(thread, head.run())))
                .put("command", command)
                .put("config", params.getOr("config", NONE))
                .put("metadata", params.getOr("metadata", NONE))
                .put(RUN, params.getOr(RUN, NONE))
                .build());
    var known = launcher.known(Optional.of(thread), request, key);
    if (known.isPresent()) {
      return result(known.get());
    }
    var open =
        new HashSet<>(runs.run(head.run()).interrupts().stream().map(StoredInterrupt::id).toList());
    checkOpen(answers.asMap().keySet(), open);
    return launch(thread, request, key);
  }

  private static void checkOpen(Set<String> answered, Set<String> open) {
    if (open.isEmpty()) {
      throw new CommandRefused("invalid_argument", "no question of the thread is open");
    }
    for (var id : answered) {
      if (!open.contains(id)) {
        throw new CommandRefused(
            "no_such_interrupt",
            "no question '%s' is open; there are %s".formatted(id, String.join(", ", open)));
      }
    }
  }

  /// Question → answer.
  private static ObjectValue answers(ObjectValue params) {
    var responses =
        switch (params.getOr("responses", NONE)) {
          case Value.Null _ -> List.<Value>of(params);
          case ListValue list when !list.isEmpty() -> list.asList();
          default -> throw invalid("responses must be a list of one or more answers");
        };
    var answers = ObjectValue.builder();
    var known = new HashSet<String>();
    for (var response : responses) {
      if (!(response instanceof ObjectValue answer)
          || !(answer.get(INTERRUPT) instanceof Value.Text(var id))) {
        throw invalid("each answer needs the interrupt_id of its question");
      }
      if (!answer.has(RESPONSE)) {
        throw invalid("the answer to '%s' has no response".formatted(id));
      }
      if (!known.add(id)) {
        throw invalid("'%s' is answered twice".formatted(id));
      }
      answers.put(id, answer.getOr(RESPONSE, NONE));
    }
    return answers.build();
  }

  /// Talks to the run that the thread has; a message with an id is sent once.
  private ObjectValue inject(String thread, ObjectValue params) {
    if (!params.listOrEmpty("namespace").isEmpty()) {
      throw new CommandRefused(
          "not_supported", "a graph inside takes messages with POST /v1/runs/{id}/messages");
    }
    if (!(params.get("message") instanceof ObjectValue message)) {
      throw invalid("message must be an object with role and content");
    }
    var request =
        new SendMessage(
            new SendMessage.Addressee.ToThread(thread),
            Optional.empty(),
            new SendMessage.MessageContent(message, true),
            message.findText("id"),
            InboxMessage.IfUntaken.FOLD);
    messages.prepare(request);
    var _ = messages.send(request);
    return ObjectValue.empty();
  }

  private static CommandRefused invalid(String message) {
    return new CommandRefused("invalid_argument", message);
  }

  /// The one with which the run was started.
  private String assistant(String thread, String run) {
    return calls.ofThread(thread, 1).stream()
        .filter(it -> it.call().run().equals(run))
        .map(it -> it.call().options().assistant())
        .findFirst()
        .orElseGet(() -> runs.summary(run).origin().graph());
  }

  private ObjectValue state(String thread, ObjectValue params) {
    if (!params.listOrEmpty("namespace").isEmpty()) {
      throw new CommandRefused(
          "not_supported", "the state of a graph inside is read with GET /threads/{thread}/state");
    }
    var state = states.newest(thread);
    var values = state.map(StateSnapshot::values).orElseGet(ObjectValue::empty);
    if (params.get("keys") instanceof ListValue keys) {
      for (var key : values.asMap().keySet()) {
        values = keys.asList().contains(Value.of(key)) ? values : values.minus(key);
      }
    }
    var result = ObjectValue.of("values", values);
    return state
        .map(it -> ObjectValue.of("id", it.head().checkpoint()))
        .map(it -> result.plus("checkpoint", it))
        .orElse(result);
  }

  /// What the protocol calls an error of the service.
  static String name(ErrorCode code) {
    return switch (code.status().value()) {
      case 401, 403 -> "permission_denied";
      case 404 ->
          code == ErrorCode.CHECKPOINT_NOT_FOUND
              ? "no_such_checkpoint"
              : code == ErrorCode.RUN_NOT_FOUND || code == ErrorCode.THREAD_NOT_FOUND
                  ? "no_such_run"
                  : "invalid_argument";
      case 409 -> code == ErrorCode.RUN_ENDED ? "no_such_run" : "invalid_argument";
      default -> code.status().is5xxServerError() ? "unknown_error" : "invalid_argument";
    };
  }
}
