package dev.superstep.command;

import dev.superstep.definition.read.Diagrams;
import dev.superstep.json.Schemas;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.testing.LocalReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The commands of the jar.
@Command(
    name = "superstep",
    mixinStandardHelpOptions = true,
    versionProvider = SuperstepCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Checks, tests, draws and imports definitions, without a server.",
    footer = {
      "",
      "Exit codes: 0 done, 1 a test failed, 2 a definition or an argument cannot be used."
    })
public final class SuperstepCommand {
  private SuperstepCommand() {}

  static void main(String... arguments) {
    // There is no logger in this jar, which is nothing to tell about.
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    var output =
        new Output(
            new PrintWriter(System.out, true, System.out.charset()),
            new PrintWriter(System.err, true, System.err.charset()));
    // They take longer than all else that a command does, and need nothing of what it is told.
    var reader = new FutureTask<>(LocalReader::open);
    Thread.ofPlatform().daemon().start(reader);
    Thread.ofPlatform().daemon().start(() -> Schemas.compileSound(ObjectValue.empty()));
    System.exit(of(output, () -> opened(reader)).execute(arguments));
  }

  private static LocalReader opened(Future<LocalReader> reader) {
    try {
      return reader.get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
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
    @Mixin private final DefinitionFiles definitions;
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
