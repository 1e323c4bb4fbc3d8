package dev.superstep.testing;

import dev.superstep.definition.AuthorText.Format;
import dev.superstep.definition.read.DefinitionText;
import dev.superstep.definition.read.ReadResult;
import dev.superstep.definition.read.TestReport;
import dev.superstep.definition.read.TestedGraph;
import java.nio.charset.StandardCharsets;

/// Reads definitions with the node types of the service, and runs their tests.
public final class TestedDefinition {
  /// Shared, because opening it takes a second.
  public static final LocalReader READER = LocalReader.open();

  private TestedDefinition() {}

  public static ReadResult read(String yaml) {
    return READER
        .texts()
        .read(new DefinitionText(yaml.getBytes(StandardCharsets.UTF_8), Format.YAML));
  }

  /// @throws AssertionError if the definition has errors
  public static TestReport run(String yaml) {
    var readResult = read(yaml);
    var plan =
        readResult
            .graphPlan()
            .orElseThrow(() -> new AssertionError(readResult.errors().toString()));
    return new GraphTestRunner().run(new TestedGraph("graph", 1, plan, readResult.tests()));
  }
}
