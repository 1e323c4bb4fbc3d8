package dev.superstep.definition.read;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Condition;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What must be true of the run of a test when it is at rest.
///
/// @param path empty: any
/// @param calls number of calls by node
public record Expectation(
    RunStatus status,
    Optional<List<PathStep>> path,
    Map<String, Long> calls,
    Optional<Content> output,
    Optional<Content> state,
    Optional<ExpectedError> error) {
  public Expectation {
    path = path.map(List::copyOf);
    calls = Map.copyOf(calls);
  }

  /// What a value must hold.
  public sealed interface Content {

    /// @param members that it must have, among others
    record ExpectedMembers(ObjectValue members) implements Content {}

    /// @param all of which must be true
    record Conditions(List<Check> all) implements Content {
      public Conditions {
        all = List.copyOf(all);
      }
    }
  }

  /// @param pointer below `output` or `state`
  /// @param source as written
  public record Check(String pointer, String source, Condition condition) {}

  /// @param code a `*` at its end stands for any rest
  /// @param message a part of the message; "" is a part of any
  public record ExpectedError(String code, String message) {

    public boolean hasCode(String actual) {
      return code.endsWith("*")
          ? actual.startsWith(code.substring(0, code.length() - 1))
          : actual.equals(code);
    }
  }
}
