package dev.superstep.node;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.CallbackRequest;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.graph.Scope;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// What an event must satisfy for which a task waits (E50): a condition, and the values of the
/// variables that it names, which do not change while the task waits.
///
/// @param payload as it is kept with the task
public record EventCondition(ObjectValue payload) {
  private static final String TYPE = CallbackRequest.MARK + "event:";

  /// Variables that a condition may name besides `event`.
  private static final List<String> VARIABLES =
      List.of("run", "state", "input", "params", "dispatch");

  private static final Pattern CHANNEL = Pattern.compile("\\bstate\\.([A-Za-z_][A-Za-z0-9_]*)");
  private static final Pattern WHOLE_STATE = Pattern.compile("\\bstate\\b(?!\\.[A-Za-z_])");
  private static final Pattern LITERAL = Pattern.compile("'[^']*'|\"[^\"]*\"");
  private static final Pattern OTHERS =
      Pattern.compile(
          "(?<![.\\w])((?:now|history|variables|metadata|template|context|node|resume|error"
              + "|response|callback|outcomes)\\b(?!\\s*\\()|uuid(?=\\s*\\())");
  private static final int BYTES_MAX = 65_536;

  /// What a condition names that is not kept with it; empty: nothing.
  static Optional<String> unknown(String source) {
    var found = OTHERS.matcher(LITERAL.matcher(source).replaceAll("''"));
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }

  /// @param source empty: every event of the name satisfies it
  static EventCondition of(String source, NodeCall call) {
    var scope = ObjectValue.empty();
    for (var variable : VARIABLES) {
      if (Pattern.compile("\\b" + variable + "\\b").matcher(source).find()) {
        scope =
            scope.plus(
                variable, variable.equals("state") ? state(source, call) : call.get(variable));
      }
    }
    var payload = ObjectValue.of("match", source).plus("scope", scope);
    long bytes = Canonical.size(payload);
    if (bytes > BYTES_MAX) {
      throw TaskFailedException.permanent(
          "match_too_large",
          "what event.match names has %d bytes; %d are allowed, so name less of the state"
              .formatted(bytes, BYTES_MAX));
    }
    return new EventCondition(payload);
  }

  private static Value state(String source, NodeCall call) {
    var channels = call.get("state");
    if (WHOLE_STATE.matcher(source).find() || !(channels instanceof ObjectValue all)) {
      return channels;
    }
    var named = ObjectValue.empty();
    for (var found = CHANNEL.matcher(source); found.find(); ) {
      var value = all.get(found.group(1));
      named = value == null ? named : named.plus(found.group(1), value);
    }
    return named;
  }

  /// The type of tasks that wait for events of a type.
  public static String taskType(String event) {
    return TYPE + event;
  }

  /// Whether tasks of a type wait for events.
  public static boolean isEvent(String task) {
    return task.startsWith(TYPE);
  }

  /// For which events tasks of a type wait.
  public static String eventType(String task) {
    return task.substring(TYPE.length());
  }

  public String source() {
    return payload.textOrEmpty("match");
  }

  /// What the condition sees.
  public Scope scope(ObjectValue event) {
    var known = payload.objectOrEmpty("scope");
    return name -> name.equals("event") ? event : known.getOr(name, Value.NULL);
  }
}
