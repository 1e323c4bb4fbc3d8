package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.Modules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The page that lists the metrics, against the code that makes them and against everything that
/// asks for them: an alert on a name that does not exist never fires.
class MetricsPageTests {
  private static final Path CHART = Path.of("helm/superstep");

  /// A meter is made where its name is the first argument.
  private static final Pattern MADE =
      Pattern.compile(
          "(?:builder|timer|counter|gauge|summary|monitor)\\(\\s*(?:\\w+, \\w+,"
              + " )?\"(superstep\\.[a-z.-]+)\"");

  private static final Pattern ASKED =
      Pattern.compile(
          "\\b(?:superstep|jvm|hikaricp|http_server|process|system|disk)_[a-z0-9_]+\\b(?!\\s*=)");

  @Test
  void listsEveryMetricThatTheServiceMakes() throws IOException {
    assertThat(MetricsPage.meters()).containsExactlyInAnyOrderElementsOf(made());
  }

  @Test
  void theDashboardAsksForMetricsThatExist() throws IOException {
    assertThat(asked(CHART.resolve("dashboards/superstep.json")))
        .hasSizeGreaterThan(15)
        .isSubsetOf(MetricsPage.series());
  }

  @Test
  void theAlertsAskForMetricsThatExist() throws IOException {
    assertThat(asked(CHART.resolve("templates/prometheusrule.yaml")))
        .hasSizeGreaterThan(5)
        .isSubsetOf(MetricsPage.series());
  }

  /// Whoever is woken up has to find what to do.
  @Test
  void eachAlertNamesItsSectionOfTheRunbook() throws IOException {
    var headings =
        Files.readString(Path.of("docs/operations.md"))
            .lines()
            .filter(it -> it.startsWith("## "))
            .map(it -> it.substring(3).toLowerCase(Locale.ROOT).replace(' ', '-'))
            .toList();
    var rules = Files.readString(CHART.resolve("templates/prometheusrule.yaml"));
    var named =
        Pattern.compile("docs/operations\\.md#(\\S+)")
            .matcher(rules)
            .results()
            .map(it -> it.group(1))
            .toList();

    assertThat(named).hasSameSizeAs(rules.lines().filter(it -> it.contains("- alert:")).toList());
    assertThat(headings).containsAll(named);
  }

  @Test
  void theRunbookAsksForMetricsThatExist() throws IOException {
    assertThat(asked(Path.of("docs/operations.md")))
        .hasSizeGreaterThan(5)
        .isSubsetOf(MetricsPage.series());
  }

  private static Set<String> made() throws IOException {
    var made = new TreeSet<String>();
    for (var file : Modules.sources()) {
      MADE.matcher(Files.readString(file)).results().forEach(it -> made.add(it.group(1)));
    }
    return made;
  }

  private static Set<String> asked(Path file) throws IOException {
    var asked = new TreeSet<String>();
    ASKED.matcher(Files.readString(file)).results().forEach(it -> asked.add(it.group()));
    return asked;
  }
}
