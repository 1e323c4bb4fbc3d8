package dev.superstep.command;

import dev.superstep.definition.testing.TestReport;
import dev.superstep.definition.testing.TestReport.Result;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Writes reports in the XML that build servers read: a suite for each graph.
final class JUnitXml {
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

  private static String testCase(String graph, Result test) {
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
