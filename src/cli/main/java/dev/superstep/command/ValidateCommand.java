package dev.superstep.command;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Says what is wrong with definitions.
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description =
        "Checks definitions without a server, as posting does; tools that only a server knows are"
            + " not checked.")
final class ValidateCommand implements Callable<Integer> {
  @Mixin private final DefinitionFiles definitions;
  private final Output output;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "YAML, JSON, or a bundle (.zip)")
  private List<Path> files = List.of();

  @Option(names = "--strict", description = "Take warnings for errors.")
  private boolean strict;

  ValidateCommand(DefinitionFiles definitions, Output output) {
    this.definitions = definitions;
    this.output = output;
  }

  @Override
  public Integer call() {
    var exit = Exit.OK;
    for (var file : files) {
      exit = exit.worse(validate(file));
    }
    return exit.code();
  }

  private Exit validate(Path file) {
    var read = definitions.read(file);
    if (read.isEmpty()) {
      return Exit.UNUSABLE;
    }
    var warnings = read.get().warnings();
    definitions.print(file, "warning", warnings);
    boolean valid = read.get().errors().isEmpty() && !(strict && !warnings.isEmpty());
    output.out().println("%s %s".formatted(file, valid ? "is valid" : "is not valid"));
    return valid ? Exit.OK : Exit.UNUSABLE;
  }
}
