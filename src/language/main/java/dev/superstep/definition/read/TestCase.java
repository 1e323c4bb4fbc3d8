package dev.superstep.definition.read;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Map;
import java.util.Optional;

/// One test of a definition.
///
/// @param index in the list of tests
/// @param mocks by node
/// @param models what models answer nodes that have no mock; empty: nothing is given
/// @param tools by name
/// @param answers of people, by node
public record TestCase(
    int index,
    String name,
    TestInput begin,
    Map<String, Series<MockResult>> mocks,
    Optional<Series<MockResult>> models,
    Map<String, Series<MockResult>> tools,
    Map<String, Series<Value>> answers,
    Expectation expectation) {
  public TestCase {
    mocks = Map.copyOf(mocks);
    tools = Map.copyOf(tools);
    answers = Map.copyOf(answers);
  }

  /// What the run begins with.
  ///
  /// @param thread the state that its thread has
  public record TestInput(ObjectValue input, ObjectValue thread, ObjectValue params) {}

  /// JSON pointer to the test in its definition.
  public String pointer() {
    return "/tests/" + index;
  }
}
