package dev.superstep.command;

import dev.superstep.definition.diagram.Diagrams;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Draws a definition.
@Command(
    name = "diagram",
    mixinStandardHelpOptions = true,
    description = "Draws a definition as a Mermaid flowchart.")
final class DiagramCommand implements Callable<Integer> {
  private final DefinitionFiles definitions;
  private final Output output;

  @Parameters(paramLabel = "FILE", description = "YAML, JSON, or a bundle (.zip)")
  private Path file = Path.of("");

  enum Format {
    MERMAID
  }

  DiagramCommand(DefinitionFiles definitions, Output output) {
    this.definitions = definitions;
    this.output = output;
  }

  /// Refuses other formats; there is one.
  @Option(names = "--format", description = "${COMPLETION-CANDIDATES}, which is all there is")
  void format(Format format) {}

  @Override
  public Integer call() {
    var read = definitions.read(file);
    if (read.isEmpty() || read.get().graphPlan().isEmpty()) {
      return Exit.UNUSABLE.code();
    }
    output.out().print(Diagrams.render(read.get().definition(), Map.of()));
    output.out().flush();
    return Exit.OK.code();
  }
}
