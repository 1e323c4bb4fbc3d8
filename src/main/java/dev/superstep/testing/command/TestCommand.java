package dev.superstep.testing.command;

import dev.superstep.definition.AuthorText.Format;
import dev.superstep.definition.form.Fields;
import dev.superstep.definition.read.ReadResult;
import dev.superstep.definition.service.DefinitionText;
import dev.superstep.definition.service.DefinitionTextReader;
import dev.superstep.definition.testing.TestReport;
import dev.superstep.definition.testing.TestedGraph;
import dev.superstep.problem.ServiceException;
import dev.superstep.testing.GraphTestRunner;
import dev.superstep.violation.Violation;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/// `test graph.yaml … [--junit report.xml]`: runs the tests of definitions in files.
public final class TestCommand {
  /// The word that begins the command line.
  public static final String NAME = "test";

  private static final String USAGE =
      """
      usage: test <definition.yaml|.json>... [--junit <report.xml>]
      ends with 0 if all tests passed, 1 if one failed, 2 if a definition or an argument is wrong
      """;

  private final PrintStream out;
  private final PrintStream err;
  private final Supplier<LocalReader> readers;

  public TestCommand(PrintStream out, PrintStream err) {
    this(out, err, LocalReader::open);
  }

  TestCommand(PrintStream out, PrintStream err, Supplier<LocalReader> readers) {
    this.out = out;
    this.err = err;
    this.readers = readers;
  }

  /// How the command ends.
  public enum Exit {
    PASSED(0),
    FAILED(1),
    UNUSABLE(2);

    private final int code;

    Exit(int code) {
      this.code = code;
    }

    /// The exit code of the process.
    public int code() {
      return code;
    }
  }

  /// @param arguments behind the command's name
  public Exit run(List<String> arguments) {
    var parsed = Arguments.parse(arguments);
    if (parsed.isEmpty()) {
      err.print(USAGE);
      return Exit.UNUSABLE;
    }
    return run(parsed.get(), readers.get().texts());
  }

  private Exit run(Arguments arguments, DefinitionTextReader texts) {
    var exit = Exit.PASSED;
    var reports = new ArrayList<TestReport>();
    for (var file : arguments.files()) {
      var report = run(file, texts);
      report.ifPresent(reports::add);
      exit = worse(exit, report.map(it -> it.passed() ? Exit.PASSED : Exit.FAILED));
    }
    int failed =
        (int)
            reports.stream().flatMap(it -> it.tests().stream()).filter(it -> !it.passed()).count();
    int all = reports.stream().mapToInt(it -> it.tests().size()).sum();
    out.println("%d test(s), %d failed".formatted(all, failed));
    if (arguments.junit().isPresent()) {
      exit = worse(exit, write(arguments.junit().get(), reports));
    }
    return exit;
  }

  /// @param next empty: unusable
  private static Exit worse(Exit exit, Optional<Exit> next) {
    var other = next.orElse(Exit.UNUSABLE);
    return other.code() > exit.code() ? other : exit;
  }

  private Optional<Exit> write(Path file, List<TestReport> reports) {
    try {
      Files.writeString(file, JUnitXml.of(reports));
      return Optional.of(Exit.PASSED);
    } catch (IOException e) {
      err.println("%s cannot be written: %s".formatted(file, e.getMessage()));
      return Optional.empty();
    }
  }

  private Optional<TestReport> run(Path file, DefinitionTextReader texts) {
    try {
      var readResult = texts.read(new DefinitionText(Files.readAllBytes(file), format(file)));
      readResult.errors().forEach(it -> err.println(line(file, it)));
      if (readResult.graphPlan().isEmpty()) {
        return Optional.empty();
      }
      var report = run(readResult);
      print(file, report);
      return Optional.of(report);
    } catch (IOException e) {
      err.println("%s cannot be read: %s".formatted(file, e.getMessage()));
    } catch (ServiceException e) {
      err.println("%s: %s".formatted(file, e.detail()));
    }
    return Optional.empty();
  }

  private static Format format(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".json") ? Format.JSON : Format.YAML;
  }

  private static String line(Path file, Violation violation) {
    var position =
        violation.hasPosition() ? ":%d:%d".formatted(violation.line(), violation.column()) : "";
    return "%s%s: %s %s: %s"
        .formatted(file, position, violation.pointer(), violation.code(), violation.message());
  }

  private static TestReport run(ReadResult readResult) {
    var name = new Fields(readResult.definition()).text("name").orElse("");
    return new GraphTestRunner()
        .run(new TestedGraph(name, 1, readResult.graphPlan().orElseThrow(), readResult.tests()));
  }

  private void print(Path file, TestReport report) {
    out.println("%s (%s)".formatted(file, report.graph()));
    for (var test : report.tests()) {
      out.println(
          "  %s %s (%d ms)"
              .formatted(
                  test.passed() ? "passed" : "FAILED", test.name(), test.duration().toMillis()));
      for (var failure : test.failures()) {
        out.println("    %s: %s".formatted(failure.pointer(), failure.message()));
      }
      if (!test.passed()) {
        out.println("    path: %s".formatted(test.path()));
      }
    }
    if (report.tests().isEmpty()) {
      out.println("  no tests");
    }
  }

  /// @param junit where the report goes; empty: nowhere
  record Arguments(List<Path> files, Optional<Path> junit) {
    private static final String JUNIT = "--junit";

    static Optional<Arguments> parse(List<String> arguments) {
      var files = new ArrayList<Path>();
      var junit = Optional.<Path>empty();
      for (int i = 0; i < arguments.size(); i++) {
        var argument = arguments.get(i);
        if (argument.equals(JUNIT) && i + 1 < arguments.size()) {
          i++;
          junit = Optional.of(Path.of(arguments.get(i)));
        } else if (argument.startsWith("-")) {
          return Optional.empty();
        } else {
          files.add(Path.of(argument));
        }
      }
      return files.isEmpty() ? Optional.empty() : Optional.of(new Arguments(files, junit));
    }
  }
}
