package dev.superstep.command;

import dev.superstep.definition.read.Diagrams;
import dev.superstep.testing.LocalReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The commands of the jar. Without one of them it serves.
@Command(
    name = "superstep",
    mixinStandardHelpOptions = true,
    versionProvider = SuperstepCommand.Version.class,
    synopsisSubcommandLabel = "[COMMAND]",
    description = "Without a command the service starts; --name=value gives it a setting.",
    footer = {
      "",
      "Exit codes: 0 done, 1 a test failed, 2 a definition or an argument cannot be used."
    })
public final class SuperstepCommand {
  private static final List<String> INFORMING = List.of("-h", "--help", "-V", "--version");

  private SuperstepCommand() {}

  /// Whether these arguments name a command; others are settings of the service.
  public static boolean isMeant(String... arguments) {
    return arguments.length > 0
        && (!arguments[0].startsWith("-") || INFORMING.contains(arguments[0]));
  }

  /// @return the exit code of the process
  public static int run(String... arguments) {
    return of(
            new Output(
                new PrintWriter(System.out, true, System.out.charset()),
                new PrintWriter(System.err, true, System.err.charset())),
            LocalReader::open)
        .execute(arguments);
  }

  static CommandLine of(Output output, Supplier<LocalReader> readers) {
    var files = new DefinitionFiles(readers, output);
    var line =
        new CommandLine(new SuperstepCommand())
            .addSubcommand(new ValidateCommand(files, output))
            .addSubcommand(new TestCommand(files, output))
            .addSubcommand(new DiagramCommand(files, output))
            .addSubcommand(new ImportLangGraphCommand(output))
            .setOut(output.out())
            .setErr(output.err())
            .setExpandAtFiles(false)
            .setUsageHelpAutoWidth(true)
            .setCaseInsensitiveEnumValuesAllowed(true);
    return line.setExecutionExceptionHandler((e, _, _) -> {
      if (!(e instanceof CommandException)) {
        throw e;
      }
      output.err().println(e.getMessage());
      return Exit.UNUSABLE.code();
    });
  }

  /// That of the jar.
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      @Nullable String version = SuperstepCommand.class.getPackage().getImplementationVersion();
      return new String[] {"Superstep " + (version == null ? "(not packaged)" : version)};
    }
  }

  /// Draws a definition.
  @Command(
      name = "diagram",
      mixinStandardHelpOptions = true,
      description = "Draws a definition as a Mermaid flowchart.")
  static final class DiagramCommand implements Callable<Integer> {
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
}
