package dev.superstep.bench;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.util.List;

/// Bars from left to right, each with its name and its value. Their lengths are logarithmic,
/// because the values lie orders of magnitude apart.
record BarPanel(String title, List<Bar> bars) {
  static final int WIDTH = 460;
  static final int HEIGHT = 212;
  static final Color INK = new Color(0x1F2328);
  private static final Color OURS = new Color(0x1F6FEB);
  private static final Color PEERS = new Color(0xB8C1CC);
  private static final int NAMES = 125;
  private static final int LONGEST = 200;
  private static final int SHORTEST = 12;
  private static final int STEP = 27;
  private static final int THICKNESS = 19;
  private static final int TOP = 30;

  BarPanel {
    bars = List.copyOf(bars);
  }

  enum Whose {
    OURS,
    PEERS
  }

  /// @param spread shown behind the value; may be empty
  record Bar(String name, double value, String spread, Whose whose) {
    String label() {
      return Numbers.text(value) + (spread.isEmpty() ? "" : " (%s)".formatted(spread));
    }
  }

  void draw(Graphics2D canvas) {
    canvas.setColor(INK);
    canvas.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 13));
    canvas.drawString(title, 0, 16);
    canvas.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    for (int i = 0; i < bars.size(); i++) {
      draw(canvas, bars.get(i), TOP + i * STEP);
    }
  }

  private void draw(Graphics2D canvas, Bar bar, int top) {
    int length = length(bar.value());
    canvas.setColor(bar.whose() == Whose.OURS ? OURS : PEERS);
    canvas.fillRect(NAMES, top, length, THICKNESS);
    canvas.setColor(INK);
    canvas.drawString(bar.name(), 0, top + 14);
    canvas.drawString(bar.label(), NAMES + length + 6, top + 14);
  }

  private int length(double value) {
    double smallest = Math.log10(bars.stream().mapToDouble(Bar::value).min().orElse(1));
    double largest = Math.log10(bars.stream().mapToDouble(Bar::value).max().orElse(1));
    // At least one power of ten from end to end: bars that are nearly equal must look so.
    double range = Math.max(1, largest - smallest);
    double share = 1 - (largest - Math.log10(value)) / range;
    return SHORTEST + (int) Math.round(share * (LONGEST - SHORTEST));
  }
}
