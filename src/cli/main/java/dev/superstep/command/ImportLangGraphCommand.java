package dev.superstep.command;

import dev.superstep.command.LangGraphImport.ImportSource;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.json.JsonLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Begins a definition from a LangGraph graph.
@Command(
    name = "import-langgraph",
    mixinStandardHelpOptions = true,
    description =
        "Writes the skeleton of a definition from the drawing of a LangGraph graph, as"
            + " json.dump(graph.get_graph(xray=True).to_json(), file) writes it.")
final class ImportLangGraphCommand implements Callable<Integer> {
  private static final JsonLimits LIMITS = JsonLimits.DEFAULT.withChars(8 << 20);
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,63}");

  private final Output output;

  @Parameters(paramLabel = "DRAWING", description = "JSON; - for standard input")
  private Path drawing = Path.of("");

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description =
          "JSON Schema of the state, of which channels are made: from get_input_jsonschema(),"
              + " get_output_jsonschema(), or /assistants/{id}/schemas. Can be repeated.")
  private List<Path> schemas = List.of();

  @Option(
      names = "--name",
      description = "Name of the graph; else that in the schemas, or that of the file")
  private Optional<String> name = Optional.empty();

  ImportLangGraphCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() {
    name.filter(it -> !NAME.matcher(it).matches())
        .ifPresent(_ -> {
          throw new CommandException(
              "--name must be a lower-case letter, then up to 63 of a-z, 0-9, '_' and '-'");
        });
    try {
      var states = schemas.stream().map(ImportLangGraphCommand::read).toList();
      var skeleton = LangGraphImport.skeleton(read(drawing), states, name, fileName());
      output.out().print(skeleton.definition());
      output.out().flush();
      skeleton.notes().forEach(it -> output.err().println(it));
      return Exit.OK.code();
    } catch (ImportException e) {
      throw new CommandException(e.problem());
    }
  }

  private String fileName() {
    return isStandardInput(drawing)
        ? "imported"
        : String.valueOf(drawing.getFileName()).replaceFirst("\\.json$", "");
  }

  private static boolean isStandardInput(Path file) {
    return file.toString().equals("-");
  }

  private static ImportSource read(Path file) {
    var source = isStandardInput(file) ? "standard input" : file.toString();
    try {
      var bytes =
          isStandardInput(file)
              ? DefinitionFiles.bytes(source, System.in)
              : DefinitionFiles.bytes(file);
      return new ImportSource(source, Json.read(bytes, LIMITS));
    } catch (IOException e) {
      throw new CommandException("%s cannot be read: %s".formatted(source, e.getMessage()));
    } catch (JsonException e) {
      var problem = e.problems().getFirst();
      var at = problem.hasPosition() ? ":%d:%d".formatted(problem.line(), problem.column()) : "";
      throw new CommandException("%s%s: %s".formatted(source, at, problem.message()));
    }
  }
}
