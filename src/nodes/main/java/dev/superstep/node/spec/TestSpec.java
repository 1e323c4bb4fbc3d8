package dev.superstep.node.spec;

import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The table TestDefinition of the language.
public interface TestSpec {
  /// Node id to answer, or list of answers by question
  @Key(form = Key.Form.MEMBER)
  TestSpec answers(String name, @Nullable Object value);

  /// What must be true at the end
  TestSpec expect(Consumer<TestExpectationSpec> author);

  /// Input of the run
  TestSpec input(Map<String, ?> value);

  /// Node id to result, list of results by call, or {error}
  @Key(form = Key.Form.MEMBER)
  TestSpec mocks(String name, @Nullable Object value);

  /// What models answer llm nodes without a mock, call by call
  @Key(form = Key.Form.ITEM)
  TestSpec models(@Nullable Object... items);

  /// Unique in the definition
  TestSpec name(String value);

  /// Values of the graph's parameters
  TestSpec params(Map<String, ?> value);

  /// State that earlier runs of the thread have left
  TestSpec thread(Map<String, ?> value);

  /// Tool name to result, list of results by call, or {error}
  @Key(form = Key.Form.MEMBER)
  TestSpec tools(String name, @Nullable Object value);
}
