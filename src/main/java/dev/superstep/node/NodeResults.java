package dev.superstep.node;

import dev.superstep.definition.DefinitionProblem;
import dev.superstep.definition.form.DottedKeys;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.task.DispatchRequest;
import dev.superstep.engine.task.InterruptRequest;
import dev.superstep.engine.task.InterruptRequest.Expiry;
import dev.superstep.engine.task.NodeResult;
import dev.superstep.json.Pointer;
import dev.superstep.json.schema.InvalidSchemaException;
import dev.superstep.json.schema.Schemas;
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
import java.util.regex.Pattern;
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
      Set.of("goto", "dispatch", "variables", "prompt", "response", "events", "history_metadata");

  /// Of a node result.
  public static final Set<String> KEYS = union(CHANGE, FLOW, Set.of("interrupt"));

  private static final Set<String> DISPATCH = Set.of("node", "input", "id", "metadata");
  private static final Set<String> INTERRUPT =
      Set.of("reason", "payload", "schema", "expires_after", "on_expiry", "default_answer");
  private static final Pattern CHANNEL = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");
  private static final int DISPATCH_ID_MAX = 128;

  private NodeResults() {}

  /// The outcome that `result` asks for: done, interrupted, or failed with `bad_node_result`.
  public static Outcome parse(Value result) {
    var reader = new ResultReader();
    if (!(result instanceof ObjectValue object)) {
      reader.refuse("", "must be an object; got " + result.typeName());
      return new Outcome.Failed(reader.error());
    }
    reader.refuseOthers("", object, KEYS);
    var outcome = outcome(reader, object);
    return reader.isClean() ? outcome : new Outcome.Failed(reader.error());
  }

  private static Outcome outcome(ResultReader reader, ObjectValue result) {
    var change = change(reader, result);
    if (reader.find(result, "interrupt").isPresent()) {
      refuseFlow(reader, result);
      return new Outcome.Interrupted(interrupt(reader, result, change));
    }
    return new Outcome.Done(
        new NodeResult(
            change,
            goTo(reader, result),
            dispatches(reader, result),
            variables(reader, result),
            reader.text("", result, "prompt"),
            reader.text("", result, "response"),
            ResultEvents.read(reader, result),
            historyMetadata(reader, result)));
  }

  private static ObjectValue historyMetadata(ResultReader reader, ObjectValue result) {
    var metadata = reader.object("", result, "history_metadata");
    metadata.forEach((key, _) -> {
      if (key.isBlank()) {
        reader.refuse("/history_metadata", "a key must not be blank");
      }
    });
    return metadata;
  }

  private static Change change(ResultReader reader, ObjectValue result) {
    var remove = reader.texts("", result, "remove");
    for (int i = 0; i < remove.size(); i++) {
      checkChannel(reader, "/remove/" + i, remove.get(i));
    }
    var change =
        new Change(
            remove,
            reader.texts("", result, "remove_messages"),
            channels(reader, result, "overwrite"),
            channels(reader, result, "update"));
    return change.isEmpty() ? Change.NONE : change;
  }

  private static ObjectValue channels(ResultReader reader, ObjectValue result, String part) {
    var channels = reader.object("", result, part);
    channels.forEach(
        (channel, _) -> checkChannel(reader, Pointer.child("/" + part, channel), channel));
    return channels;
  }

  private static void checkChannel(ResultReader reader, String pointer, String channel) {
    if (channel.startsWith("__")) {
      reader.refuse(pointer, "channel names that begin with __ are reserved");
    } else if (!CHANNEL.matcher(channel).matches()) {
      reader.refuse(pointer, "not a channel name: " + CHANNEL.pattern());
    }
  }

  private static ObjectValue variables(ResultReader reader, ObjectValue result) {
    var flat = DottedKeys.flatten(reader.object("", result, "variables"));
    flat.problems().forEach(it -> reader.refuse("/variables" + it.pointer(), it.message()));
    return flat.keys();
  }

  private static @Nullable List<String> goTo(ResultReader reader, ObjectValue result) {
    return reader.find(result, "goto").isEmpty() ? null : reader.texts("", result, "goto");
  }

  private static List<DispatchRequest> dispatches(ResultReader reader, ObjectValue result) {
    var list = reader.list("", result, "dispatch");
    var dispatches = new ArrayList<DispatchRequest>();
    for (int i = 0; i < list.size(); i++) {
      var pointer = "/dispatch/" + i;
      if (list.get(i) instanceof ObjectValue object) {
        dispatches.add(dispatch(reader, pointer, object));
      } else {
        reader.refuse(
            pointer, "must be an object like {node, input}; got " + list.get(i).typeName());
      }
    }
    return dispatches;
  }

  private static DispatchRequest dispatch(ResultReader reader, String pointer, ObjectValue object) {
    reader.refuseOthers(pointer, object, DISPATCH);
    var node = reader.text(pointer, object, "node");
    if (node == null && reader.find(object, "node").isEmpty()) {
      reader.refuse(pointer + "/node", "is required: the node to run");
    }
    var id = reader.text(pointer, object, "id");
    if (id != null && (id.isBlank() || id.startsWith("__") || id.length() > DISPATCH_ID_MAX)) {
      reader.refuse(
          pointer + "/id",
          "must have 1 to %d characters and not begin with __".formatted(DISPATCH_ID_MAX));
    }
    return new DispatchRequest(
        node == null ? "" : node,
        reader.object(pointer, object, "input"),
        id,
        reader.object(pointer, object, "metadata"));
  }

  private static void refuseFlow(ResultReader reader, ObjectValue result) {
    for (var key : FLOW.stream().sorted().toList()) {
      var absent = reader.find(result, key).filter(it -> !isNothing(key, it)).isEmpty();
      if (!absent) {
        reader.refuse("/" + key, "cannot stand beside interrupt: give it when the task is resumed");
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

  private static InterruptRequest interrupt(
      ResultReader reader, ObjectValue result, Change change) {
    var object = reader.object("", result, "interrupt");
    reader.refuseOthers("/interrupt", object, INTERRUPT);
    var reason = reader.text("/interrupt", object, "reason");
    if (reason == null || reason.isBlank()) {
      reader.refuse("/interrupt/reason", "is required: a short word for what is asked");
    }
    var schema = reader.find(object, "schema");
    var expiry = expiry(reader, object);
    checkDefault(reader, answers(reader, schema), expiry);
    return new InterruptRequest(
        reason == null ? "" : reason, object.getOr("payload", Value.NULL), change, schema, expiry);
  }

  private static ValueCheck answers(ResultReader reader, Optional<Value> schema) {
    try {
      return schema.map(Schemas::compile).orElse(ValueCheck.NONE);
    } catch (InvalidSchemaException e) {
      e.problems().forEach(it -> reader.refuse("/interrupt/schema" + it.pointer(), it.message()));
      return ValueCheck.NONE;
    }
  }

  /// The default must be an answer like any other (E37). What is wrong with the answers to a
  /// question that a definition writes out: their schema, or the default. Pointers begin at the
  /// node result.
  public static List<DefinitionProblem> problems(ObjectValue interrupt) {
    if (Stream.of("schema", "default_answer").anyMatch(it -> isTemplate(interrupt.get(it)))) {
      return List.of();
    }
    var reader = new ResultReader();
    var answer = Optional.ofNullable(interrupt.get("default_answer"));
    checkDefault(
        reader,
        answers(reader, reader.find(interrupt, "schema")),
        Optional.of(new Expiry(Duration.ZERO, answer)));
    return reader.problems().stream()
        .map(it -> DefinitionProblem.of(it.pointer(), "schema_violation", it.message()))
        .toList();
  }

  private static boolean isTemplate(@Nullable Value value) {
    return value != null && Canonical.text(value).contains("{{");
  }

  private static void checkDefault(
      ResultReader reader, ValueCheck answers, Optional<Expiry> expiry) {
    expiry
        .flatMap(Expiry::defaultAnswer)
        .ifPresent(it ->
            answers
                .byPointer(it)
                .forEach(wrong ->
                    reader.refuse("/interrupt/default_answer" + wrong.pointer(), wrong.message())));
  }

  private static Optional<Expiry> expiry(ResultReader reader, ObjectValue interrupt) {
    var after = reader.duration("/interrupt", interrupt, "expires_after");
    var onExpiry = reader.text("/interrupt", interrupt, "on_expiry");
    boolean answers = "answer".equals(onExpiry);
    if (onExpiry != null && !answers && !onExpiry.equals("fail")) {
      reader.refuse("/interrupt/on_expiry", "must be fail or answer");
    }
    var answer = Optional.ofNullable(interrupt.get("default_answer"));
    if (answers && answer.isEmpty()) {
      reader.refuse("/interrupt/default_answer", "is required by on_expiry: answer");
    }
    if (answers && reader.find(interrupt, "expires_after").isEmpty()) {
      reader.refuse("/interrupt/expires_after", "is required by on_expiry: answer");
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
