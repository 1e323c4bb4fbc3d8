package dev.superstep.node.spec;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The table TestExpectation of the language.
public interface TestExpectationSpec {
  /// Node id to number of calls
  @Key(form = Key.Form.MEMBER)
  TestExpectationSpec calls(String name, long value);

  /// With which the run fails
  TestExpectationSpec error(Consumer<ExpectedErrorSpec> author);

  /// Members of the output, or a CEL condition over output
  TestExpectationSpec output(@Nullable Object value);

  /// For each superstep a node id, id*10 for ten tasks, or a list of them
  @Key(form = Key.Form.ITEM)
  TestExpectationSpec path(@Nullable Object... items);

  /// Members of the state, or a CEL condition over state
  TestExpectationSpec state(@Nullable Object value);

  /// Default succeeded, and failed with error: succeeded, failed, interrupted
  TestExpectationSpec status(String value);
}
