package dev.superstep.bench;

import dev.superstep.bench.Figure.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Writes what was measured as Markdown, ready for the documentation, and as a chart.
final class Report {
  private final Figures figures;
  private final Map<String, String> facts;

  Report(Figures figures, Map<String, String> facts) {
    this.figures = figures;
    this.facts = facts;
  }

  void write(Path folder) throws IOException {
    var table = Files.writeString(folder.resolve("results.md"), markdown());
    var chart = folder.resolve("results.svg");
    new Chart(figures).write(chart, facts);
    System.out.printf("%n%s%n%s%n%s%n", markdown(), table, chart);
  }

  private String markdown() {
    var text = new StringBuilder();
    facts.forEach(
        (name, fact) -> text.append("* ").append(name).append(": ").append(fact).append('\n'));
    figures.notes().forEach(it -> text.append("* ").append(it).append('\n'));
    text.append(
        """

        | what | unit | target | median | lowest–highest | raw limit beside it | ÷ limit | best peer |
        |---|---|---|---|---|---|---|---|
        """);
    figures.figures().forEach(it -> text.append(row(it)));
    return text.toString();
  }

  private String row(Figure figure) {
    var peers = Peers.of(figure);
    return "| %s | %s | %s | %s | %s | %s | %s | %s |%n"
        .formatted(
            figure.label(),
            figure.unit(),
            peers.map(Peers.Comparison::target).orElse(""),
            Numbers.text(figures.median(figure, Sample::value)),
            figures.spread(figure, Sample::value),
            Numbers.text(figures.median(figure, Sample::limit)),
            Numbers.text(figures.median(figure, Sample::ratio)),
            peers.map(Peers.Comparison::best).orElse(""));
  }
}
