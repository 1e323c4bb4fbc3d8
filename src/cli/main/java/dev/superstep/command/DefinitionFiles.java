package dev.superstep.command;

import dev.superstep.definition.AuthorText.Format;
import dev.superstep.definition.Codes;
import dev.superstep.definition.read.DefinitionText;
import dev.superstep.definition.read.DefinitionTextReader;
import dev.superstep.definition.read.ReadResult;
import dev.superstep.graph.Violation;
import dev.superstep.problem.ServiceException;
import dev.superstep.testing.LocalReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Reads definitions from files, and says what is wrong with them. Commands that read some have its
/// option.
final class DefinitionFiles {
  private static final int BYTES_MAX = 64 << 20;

  private final Supplier<LocalReader> readers;
  private final Output output;
  private @Nullable DefinitionTextReader texts;

  @Option(
      names = "--extensions",
      paramLabel = "FOLDER",
      description = "Jars with functions that definitions name.")
  private @Nullable Path extensions;

  /// @param readers called once a file is read, if there are no extensions
  DefinitionFiles(Supplier<LocalReader> readers, Output output) {
    this.readers = readers;
    this.output = output;
  }

  /// By the file's ending; anything else is YAML, which JSON is, too.
  static Format format(Path file) {
    var name = file.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".json") ? Format.JSON : name.endsWith(".zip") ? Format.ZIP : Format.YAML;
  }

  static byte[] bytes(Path file) {
    try (var in = Files.newInputStream(file)) {
      return bytes(file.toString(), in);
    } catch (IOException e) {
      throw new CommandException("%s cannot be read: %s".formatted(file, e.getMessage()));
    }
  }

  /// @param source as it is named in the sentence, if it has too many
  static byte[] bytes(String source, InputStream in) throws IOException {
    var bytes = in.readNBytes(BYTES_MAX + 1);
    if (bytes.length > BYTES_MAX) {
      throw new CommandException(
          "%s has more than %d MB, which is more than any server takes"
              .formatted(source, BYTES_MAX >> 20));
    }
    return bytes;
  }

  /// Errors have been printed; empty if the file could not be read at all.
  Optional<ReadResult> read(Path file) {
    try {
      var readResult = texts().read(new DefinitionText(bytes(file), format(file)));
      print(file, "error", readResult.errors());
      return Optional.of(readResult.with(readResult.errors(), known(readResult.warnings())));
    } catch (CommandException e) {
      output.err().println(e.getMessage());
    } catch (ServiceException e) {
      unreadable(file, e);
    }
    return Optional.empty();
  }

  /// A text that is neither JSON nor YAML.
  private void unreadable(Path file, ServiceException e) {
    if (e.errors().isEmpty()) {
      output.err().println("%s: %s".formatted(file, e.detail()));
    }
    for (var error : e.errors()) {
      var at = Violation.of(error.pointer(), error.code(), error.message());
      print(file, "error", List.of(at.at(orNone(error.line()), orNone(error.column()))));
    }
  }

  private static int orNone(@Nullable Integer number) {
    return number == null ? 0 : number;
  }

  /// Those that hold for every server: which models one has is not known here.
  private static List<Violation> known(List<Violation> warnings) {
    return warnings.stream().filter(it -> !it.code().equals(Codes.NODE_TYPE_UNAVAILABLE)).toList();
  }

  void print(Path file, String kind, List<Violation> violations) {
    violations.forEach(it -> output.err().println(line(file, kind, it)));
  }

  private DefinitionTextReader texts() {
    if (texts == null) {
      texts = open();
    }
    return texts;
  }

  /// @throws CommandException if extensions cannot be used
  private DefinitionTextReader open() {
    if (extensions == null) {
      return readers.get().texts();
    }
    try {
      return LocalReader.open(extensions).texts();
    } catch (RuntimeException e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      throw new CommandException(
          "the extensions in %s cannot be used: %s".formatted(extensions, cause.getMessage()));
    }
  }

  private static String line(Path file, String kind, Violation violation) {
    var position =
        violation.hasPosition() ? ":%d:%d".formatted(violation.line(), violation.column()) : "";
    var pointer = violation.pointer().isEmpty() ? "" : violation.pointer() + " ";
    return "%s%s: %s: %s%s: %s"
        .formatted(file, position, kind, pointer, violation.code(), violation.message());
  }
}
