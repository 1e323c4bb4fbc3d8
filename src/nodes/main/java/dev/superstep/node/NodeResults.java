package dev.superstep.node;

import dev.superstep.definition.form.DottedKeys;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.DispatchRequest;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.InterruptRequest.Expiry;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.graph.Identifiers;
import dev.superstep.graph.Location;
import dev.superstep.graph.UncheckedValue;
import dev.superstep.graph.Violation;
import dev.superstep.graph.Violations;
import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.Schemas;
import dev.superstep.state.Change;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the node result that expression, function, http and worker nodes give (definitions.md,
/// *Node result*).
///
/// Strict: an unknown key, a wrong type, a reserved name, or an `interrupt` beside anything but a
/// change (E30) make the task fail with `bad_node_result`, which lists every problem with its
/// pointer. A member that is null counts as absent, so that a template can leave it out.
public final class NodeResults {
  static final String BAD_RESULT = "bad_node_result";
  private static final Set<String> CHANGE =
      Set.of("update", "overwrite", "remove", "remove_messages");
  private static final Set<String> FLOW =
      Set.of(
          "goto",
          "dispatch",
          ResultPolicy.KEY,
          "variables",
          "prompt",
          "response",
          "events",
          "history_metadata");

  /// Of a node result.
  public static final Set<String> KEYS = union(CHANGE, FLOW, Set.of("interrupt"));

  private static final Set<String> DISPATCH = Set.of("node", "input", "id", "metadata");
  private static final Set<String> INTERRUPT =
      union(
          Set.of("reason", "payload", "schema", "expires_after", "on_expiry", "default_answer"),
          AddresseesReader.KEYS);
  private static final int DISPATCH_ID_MAX = 128;

  private NodeResults() {}

  /// The outcome that `result` asks for: done, interrupted, or failed with `bad_node_result`.
  public static Outcome parse(Value result) {
    var violations = new Violations();
    var read = ResultValues.of(result, violations.root());
    if (!(result instanceof ObjectValue)) {
      ResultValues.refuse(read.at(), "must be an object; got " + result.typeName());
      return new Outcome.Failed(ResultValues.error(violations));
    }
    ResultValues.refuseOthers(read, KEYS);
    var outcome = outcome(read);
    return violations.hasErrors() ? new Outcome.Failed(ResultValues.error(violations)) : outcome;
  }

  private static Outcome outcome(UncheckedValue result) {
    var change = change(result);
    if (!result.key("interrupt").isAbsent()) {
      refuseFlow(result);
      return new Outcome.Interrupted(interrupt(result.key("interrupt"), change));
    }
    return new Outcome.Done(
        new NodeResult(
                change,
                goTo(result.key("goto")),
                dispatches(result.key("dispatch")),
                variables(result.key("variables")),
                result.key("prompt").text().orElse(null),
                result.key("response").text().orElse(null),
                ResultEvents.read(result.key("events")),
                historyMetadata(result.key("history_metadata")))
            .under(ResultPolicy.read(result.key(ResultPolicy.KEY))));
  }

  private static ObjectValue historyMetadata(UncheckedValue member) {
    var metadata = member.objectOrEmpty();
    metadata.forEach((key, _) -> {
      if (key.isBlank()) {
        ResultValues.refuse(member.at(), "a key must not be blank");
      }
    });
    return metadata;
  }

  private static Change change(UncheckedValue result) {
    var remove = result.key("remove").texts();
    for (int i = 0; i < remove.size(); i++) {
      checkChannel(result.at().key("remove").item(i), remove.get(i));
    }
    var change =
        new Change(
            remove,
            result.key("remove_messages").texts(),
            channels(result.key("overwrite")),
            channels(result.key("update")));
    return change.isEmpty() ? Change.NONE : change;
  }

  private static ObjectValue channels(UncheckedValue part) {
    var channels = part.objectOrEmpty();
    channels.forEach((channel, _) -> checkChannel(part.at().key(channel), channel));
    return channels;
  }

  private static void checkChannel(Location at, String channel) {
    if (channel.startsWith("__")) {
      ResultValues.refuse(at, "channel names that begin with __ are reserved");
    } else if (!Identifiers.isName(channel)) {
      ResultValues.refuse(at, "no name of a channel: " + Identifiers.NAME_FORM);
    }
  }

  private static ObjectValue variables(UncheckedValue variables) {
    var flat = DottedKeys.flatten(variables.objectOrEmpty());
    flat.problems().forEach(variables.at()::error);
    return flat.keys();
  }

  private static @Nullable List<String> goTo(UncheckedValue nodes) {
    return nodes.isAbsent() ? null : nodes.texts();
  }

  private static List<DispatchRequest> dispatches(UncheckedValue list) {
    var dispatches = new ArrayList<DispatchRequest>();
    for (var item : list.items()) {
      if (item.value() instanceof ObjectValue) {
        dispatches.add(dispatch(item));
      } else {
        ResultValues.refuse(
            item.at(), "must be an object like {node, input}; got " + item.typeName());
      }
    }
    return dispatches;
  }

  private static DispatchRequest dispatch(UncheckedValue dispatch) {
    ResultValues.refuseOthers(dispatch, DISPATCH);
    var node = dispatch.key("node");
    var name = node.text();
    if (node.isAbsent()) {
      ResultValues.refuse(node.at(), "is required: the node to run");
    }
    var id = dispatch.key("id").text();
    if (id.filter(it -> !isDispatchId(it)).isPresent()) {
      ResultValues.refuse(
          dispatch.key("id").at(),
          "must have 1 to %d characters and not begin with __".formatted(DISPATCH_ID_MAX));
    }
    return new DispatchRequest(
        name.orElse(""),
        dispatch.key("input").objectOrEmpty(),
        id.orElse(null),
        dispatch.key("metadata").objectOrEmpty());
  }

  private static boolean isDispatchId(String id) {
    return !id.isBlank() && !id.startsWith("__") && id.length() <= DISPATCH_ID_MAX;
  }

  private static void refuseFlow(UncheckedValue result) {
    for (var key : FLOW.stream().sorted().toList()) {
      if (result.key(key).find().filter(it -> !isNothing(key, it)).isPresent()) {
        ResultValues.refuse(
            result.key(key).at(),
            "cannot stand beside interrupt: give it when the task is resumed");
      }
    }
  }

  /// `goto: []` has a meaning, empty dispatches and variables have none.
  private static boolean isNothing(String key, Value value) {
    return switch (value) {
      case ListValue list -> list.isEmpty() && !key.equals("goto");
      case ObjectValue object -> object.isEmpty();
      default -> false;
    };
  }

  private static InterruptRequest interrupt(UncheckedValue interrupt, Change change) {
    var payload = interrupt.objectOrEmpty().getOr("payload", Value.NULL);
    ResultValues.refuseOthers(interrupt, INTERRUPT);
    var reason = interrupt.key("reason").text().orElse("");
    if (reason.isBlank()) {
      ResultValues.refuse(
          interrupt.key("reason").at(), "is required: a short word for what is asked");
    }
    var expiry = expiry(interrupt);
    checkDefault(interrupt.at(), answers(interrupt.key("schema")), expiry);
    var schema = interrupt.key("schema").find();
    return new InterruptRequest(reason, payload, change, schema, expiry)
        .to(AddresseesReader.read(interrupt));
  }

  private static ValueCheck answers(UncheckedValue schema) {
    try {
      return schema.find().map(Schemas::compile).orElse(ValueCheck.NONE);
    } catch (InvalidSchemaException e) {
      e.problems()
          .forEach(it -> schema.at().error(Violation.of(it.pointer(), BAD_RESULT, it.message())));
      return ValueCheck.NONE;
    }
  }

  /// The default must be an answer like any other (E37). What is wrong with the answers to a
  /// question that a definition writes out: their schema, or the default. Pointers begin at the
  /// node result.
  public static List<Violation> problems(ObjectValue interrupt) {
    if (Stream.of("schema", "default_answer").anyMatch(it -> isTemplate(interrupt.get(it)))) {
      return List.of();
    }
    var violations = new Violations();
    var question = ResultValues.of(interrupt, violations.root().key("interrupt"));
    var answer = Optional.ofNullable(interrupt.get("default_answer"));
    checkDefault(
        question.at(),
        answers(question.key("schema")),
        Optional.of(new Expiry(Duration.ZERO, answer)));
    return violations.errors().stream()
        .map(it -> Violation.of(it.pointer(), "schema_violation", it.message()))
        .toList();
  }

  private static boolean isTemplate(@Nullable Value value) {
    return value != null && Canonical.text(value).contains("{{");
  }

  /// @param at of the interrupt
  private static void checkDefault(Location at, ValueCheck answers, Optional<Expiry> expiry) {
    expiry
        .flatMap(Expiry::defaultAnswer)
        .ifPresent(it ->
            answers
                .byPointer(it)
                .forEach(wrong ->
                    at.key("default_answer")
                        .error(Violation.of(wrong.pointer(), BAD_RESULT, wrong.message()))));
  }

  private static Optional<Expiry> expiry(UncheckedValue interrupt) {
    var after = ResultValues.duration(interrupt.key("expires_after"));
    var onExpiry = interrupt.key("on_expiry").text().orElse("fail");
    boolean answers = onExpiry.equals("answer");
    if (!answers && !onExpiry.equals("fail")) {
      ResultValues.refuse(interrupt.key("on_expiry").at(), "must be fail or answer");
    }
    var answer = Optional.ofNullable(interrupt.key("default_answer").value());
    if (answers && answer.isEmpty()) {
      ResultValues.refuse(interrupt.key("default_answer").at(), "is required by on_expiry: answer");
    }
    if (answers && interrupt.key("expires_after").isAbsent()) {
      ResultValues.refuse(interrupt.key("expires_after").at(), "is required by on_expiry: answer");
    }
    return after.map(it -> new Expiry(it, answers ? answer : Optional.empty()));
  }

  @SafeVarargs
  private static Set<String> union(Set<String>... sets) {
    var all = new HashSet<String>();
    for (var set : sets) {
      all.addAll(set);
    }
    return Set.copyOf(all);
  }
}
