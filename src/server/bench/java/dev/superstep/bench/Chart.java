package dev.superstep.bench;

import dev.superstep.bench.Figure.Sample;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Graphics2D;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGraphics2D;
import org.w3c.dom.Document;

/// Draws what was measured beside the peers: one panel for each comparison.
final class Chart {
  private static final int COLUMNS = 3;
  private static final int HEADER = 84;
  private static final int MARGIN = 20;

  private static final List<Panel> PANELS =
      List.of(
          new Panel("W1 memory 1", "W1 in memory, 1 caller: supersteps/s ↑"),
          new Panel("W1e durable 1", "W1e durable, 1 caller: ÷ raw commits/s ↑"),
          new Panel("W1e durable 64", "W1e durable, 64 callers: ÷ raw commits/s ↑"),
          new Panel("W2 durable 10000", "W2 durable, 10,000 items: µs per item ↓"),
          new Panel("W3 200 wal", "W3 durable, 200 × 1 KiB: WAL ÷ payload ↓"),
          new Panel("W4 1 resume p50", "W4 answer to end, p50: ms ↓"),
          new Panel("W5 runs", "W5 1,000 sleeping runs: wall ÷ ideal ↓"),
          new Panel("W6e 1", "W6e over HTTP, 1 connection: runs/s ↑"),
          new Panel("W6e 64", "W6e over HTTP, 64 connections: runs/s ↑"));

  private final Figures figures;

  Chart(Figures figures) {
    this.figures = figures;
  }

  private record Panel(String key, String title) {}

  void write(Path file, Map<String, String> facts) throws IOException {
    var svg = new SVGGraphics2D(document());
    draw(svg, facts);
    try (var writer = new OutputStreamWriter(Files.newOutputStream(file), StandardCharsets.UTF_8)) {
      svg.stream(writer, false);
    }
  }

  private static Document document() {
    try {
      return DocumentBuilderFactory.newNSInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument("http://www.w3.org/2000/svg", "svg", null);
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("every Java can make a document", e);
    }
  }

  private void draw(SVGGraphics2D svg, Map<String, String> facts) {
    var panels = new ArrayList<BarPanel>();
    PANELS.forEach(it -> bars(it).ifPresent(panels::add));
    int rows = (panels.size() + COLUMNS - 1) / COLUMNS;
    int width = COLUMNS * BarPanel.WIDTH + MARGIN;
    int height = HEADER + rows * BarPanel.HEIGHT;
    svg.setSVGCanvasSize(new Dimension(width, height));
    svg.setColor(Color.WHITE);
    svg.fillRect(0, 0, width, height);
    header(svg, facts);
    for (int i = 0; i < panels.size(); i++) {
      var place = (Graphics2D) svg.create();
      place.translate(
          MARGIN + i % COLUMNS * BarPanel.WIDTH, HEADER + i / COLUMNS * BarPanel.HEIGHT);
      panels.get(i).draw(place);
    }
  }

  private static void header(Graphics2D canvas, Map<String, String> facts) {
    canvas.setColor(BarPanel.INK);
    canvas.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 17));
    canvas.drawString(
        "Superstep %s beside its peers".formatted(fact(facts, "Superstep")), MARGIN, 28);
    canvas.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    canvas.drawString(
        "Medians (lowest–highest); lengths are logarithmic, ↑ more is better, ↓ less is better."
            + " Peers: same workload definitions, 2 shared cores, PostgreSQL 15, another day.",
        MARGIN,
        48);
    canvas.drawString(
        "Superstep on %s; %s; PostgreSQL %s."
            .formatted(fact(facts, "machine"), fact(facts, "Java"), fact(facts, "PostgreSQL")),
        MARGIN,
        65);
  }

  private static String fact(Map<String, String> facts, String name) {
    return facts.getOrDefault(name, "");
  }

  /// Shares of the raw limit of the same run, where there is one.
  private Optional<BarPanel> bars(Panel panel) {
    var figure = figures.find(panel.key());
    var peers = figure.flatMap(Peers::of);
    if (figure.isEmpty() || peers.isEmpty()) {
      return Optional.empty();
    }
    double share = figures.median(figure.get(), Sample::ratio);
    boolean shares = !Double.isNaN(share);
    var bars = new ArrayList<BarPanel.Bar>();
    var spread = figures.spread(figure.get(), shares ? Sample::ratio : Sample::value);
    double ours = shares ? share : figures.median(figure.get(), Sample::value);
    bars.add(new BarPanel.Bar("Superstep", ours, spread, BarPanel.Whose.OURS));
    for (var peer : peers.get().peers()) {
      double value = shares ? peer.value() / peers.get().limit() : peer.value();
      bars.add(new BarPanel.Bar(peer.shortName(), value, "", BarPanel.Whose.PEERS));
    }
    return Optional.of(new BarPanel(panel.title(), bars));
  }
}
