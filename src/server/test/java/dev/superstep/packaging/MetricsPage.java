package dev.superstep.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What `docs/metrics.md` lists: in each row the name of a metric, its series in Prometheus (the
/// first cells), unit, tags and meaning.
final class MetricsPage {
  private static final Path PAGE = Path.of("docs/metrics.md");
  private static final Pattern ROW =
      Pattern.compile("^\\| `([a-z._-]+)` \\| ([^|]+) \\|", Pattern.MULTILINE);
  private static final Pattern SERIES = Pattern.compile("`([a-z0-9_]+)`");

  private MetricsPage() {}

  /// Names of the service's own meters, as the code writes them.
  static Set<String> meters() throws IOException {
    var meters = new TreeSet<String>();
    ROW.matcher(Files.readString(PAGE))
        .results()
        .map(it -> it.group(1))
        .filter(it -> it.startsWith("superstep."))
        .forEach(meters::add);
    return meters;
  }

  /// Names of the series in an answer of the service.
  static Set<String> shown(String scraped) {
    return scraped
        .lines()
        .filter(it -> !it.startsWith("#"))
        .map(it -> it.split("[{ ]", 2)[0])
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// Names of all series.
  static Set<String> series() throws IOException {
    var series = new TreeSet<String>();
    ROW.matcher(Files.readString(PAGE))
        .results()
        .flatMap(it -> SERIES.matcher(it.group(2)).results())
        .forEach(it -> series.add(it.group(1)));
    return series;
  }
}
