package dev.superstep.command;

import dev.superstep.definition.read.ReadResult;
import dev.superstep.definition.read.TestReport;
import dev.superstep.definition.read.TestReport.TestResult;
import dev.superstep.definition.read.TestedGraph;
import dev.superstep.testing.GraphTestRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Runs the tests that definitions carry.
@Command(
    name = "test",
    mixinStandardHelpOptions = true,
    description = "Runs the tests that definitions carry, without a server.")
final class TestCommand implements Callable<Integer> {
  @Mixin private final DefinitionFiles definitions;
  private final Output output;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "YAML, JSON, or a bundle (.zip)")
  private List<Path> files = List.of();

  @Option(
      names = "--junit",
      paramLabel = "REPORT",
      description = "Write a report for build servers to this file (JUnit XML).")
  private Optional<Path> junit = Optional.empty();

  TestCommand(DefinitionFiles definitions, Output output) {
    this.definitions = definitions;
    this.output = output;
  }

  @Override
  public Integer call() {
    var exit = Exit.OK;
    var reports = new ArrayList<TestReport>();
    for (var file : files) {
      var report = run(file);
      report.ifPresent(reports::add);
      exit =
          exit.worse(report.map(it -> it.passed() ? Exit.OK : Exit.FAILED).orElse(Exit.UNUSABLE));
    }
    int failed =
        (int)
            reports.stream().flatMap(it -> it.tests().stream()).filter(it -> !it.passed()).count();
    int all = reports.stream().mapToInt(it -> it.tests().size()).sum();
    output.out().println("%d test(s), %d failed".formatted(all, failed));
    junit.ifPresent(it -> write(it, reports));
    return exit.code();
  }

  private static void write(Path file, List<TestReport> reports) {
    try {
      Files.writeString(file, JUnitXml.of(reports));
    } catch (IOException e) {
      throw new CommandException("%s cannot be written: %s".formatted(file, e.getMessage()));
    }
  }

  private Optional<TestReport> run(Path file) {
    var read = definitions.read(file).filter(it -> it.graphPlan().isPresent());
    var report = read.map(TestCommand::run);
    report.ifPresent(it -> print(file, it));
    return report;
  }

  private static TestReport run(ReadResult readResult) {
    var name = readResult.definition().textOrEmpty("name");
    return new GraphTestRunner()
        .run(new TestedGraph(name, 1, readResult.graphPlan().orElseThrow(), readResult.tests()));
  }

  private void print(Path file, TestReport report) {
    output.out().println("%s (%s)".formatted(file, report.graph()));
    for (var test : report.tests()) {
      output
          .out()
          .println(
              "  %s %s (%d ms)"
                  .formatted(
                      test.passed() ? "passed" : "FAILED",
                      test.name(),
                      test.duration().toMillis()));
      for (var failure : test.failures()) {
        output.out().println("    %s: %s".formatted(failure.pointer(), failure.message()));
      }
      if (!test.passed()) {
        output.out().println("    path: %s".formatted(test.path()));
      }
    }
    if (report.tests().isEmpty()) {
      output.out().println("  no tests");
    }
  }

  /// Writes reports in the XML that build servers read: a suite for each graph.
  private static final class JUnitXml {
    private JUnitXml() {}

    static String of(List<TestReport> reports) {
      return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n%s</testsuites>\n"
          .formatted(reports.stream().map(JUnitXml::suite).collect(Collectors.joining()));
    }

    private static String suite(TestReport report) {
      long failed = report.tests().stream().filter(it -> !it.passed()).count();
      return "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\" time=\"%s\">\n%s  </testsuite>\n"
          .formatted(
              escaped(report.graph()),
              report.tests().size(),
              failed,
              seconds(report.duration()),
              report.tests().stream()
                  .map(it -> testCase(report.graph(), it))
                  .collect(Collectors.joining()));
    }

    private static String testCase(String graph, TestResult test) {
      var head =
          "    <testcase classname=\"%s\" name=\"%s\" time=\"%s\""
              .formatted(escaped(graph), escaped(test.name()), seconds(test.duration()));
      if (test.passed()) {
        return head + "/>\n";
      }
      var first = test.failures().getFirst();
      var all =
          test.failures().stream()
              .map(it -> it.pointer() + ": " + it.message())
              .collect(Collectors.joining("\n"));
      return "%s>\n      <failure message=\"%s\">%s\npath: %s</failure>\n    </testcase>\n"
          .formatted(head, escaped(first.message()), escaped(all), escaped(test.path().toString()));
    }

    private static String seconds(Duration duration) {
      return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e9);
    }

    /// Characters that XML 1.0 cannot hold are replaced.
    private static String escaped(String text) {
      var xml = new StringBuilder();
      text.codePoints()
          .forEach(it -> {
            switch (it) {
              case '<' -> xml.append("&lt;");
              case '>' -> xml.append("&gt;");
              case '&' -> xml.append("&amp;");
              case '"' -> xml.append("&quot;");
              default -> xml.appendCodePoint(isAllowed(it) ? it : 0xfffd);
            }
          });
      return xml.toString();
    }

    private static boolean isAllowed(int character) {
      return character == '\n'
          || character == '\t'
          || (character >= 0x20 && character < 0xd800)
          || (character >= 0xe000 && character < 0xfffe)
          || character >= 0x10000;
    }
  }
}
