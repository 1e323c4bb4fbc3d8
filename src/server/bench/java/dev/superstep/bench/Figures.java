package dev.superstep.bench;

import dev.superstep.bench.Figure.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/// Everything measured so far, in the order in which it was measured first.
final class Figures {
  private final Map<Figure, List<Sample>> samples = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  void add(Figure figure, double value) {
    add(figure, value, Double.NaN);
  }

  /// @param limit the raw limit measured beside it
  void add(Figure figure, double value, double limit) {
    samples.computeIfAbsent(figure, _ -> new ArrayList<>()).add(new Sample(value, limit));
    System.out.printf(
        "%-58s %12s %s%s%n",
        figure.label(),
        Numbers.text(value),
        figure.unit(),
        Double.isNaN(limit) ? "" : "   (limit %s)".formatted(Numbers.text(limit)));
  }

  /// Something a reader of the figures must know.
  void note(String note) {
    notes.add(note);
    System.out.println(note);
  }

  List<String> notes() {
    return List.copyOf(notes);
  }

  List<Figure> figures() {
    return List.copyOf(samples.keySet());
  }

  Optional<Figure> find(String key) {
    return samples.keySet().stream().filter(it -> it.key().equals(key)).findFirst();
  }

  double median(Figure figure, ToDoubleFunction<Sample> part) {
    return Figure.median(values(figure, part));
  }

  /// From the lowest to the highest value.
  String spread(Figure figure, ToDoubleFunction<Sample> part) {
    var values = values(figure, part);
    return values.size() < 2
        ? ""
        : "%s–%s"
            .formatted(
                Numbers.text(values.stream().reduce(Math::min).orElseThrow()),
                Numbers.text(values.stream().reduce(Math::max).orElseThrow()));
  }

  private List<Double> values(Figure figure, ToDoubleFunction<Sample> part) {
    return samples.getOrDefault(figure, List.of()).stream().map(part::applyAsDouble).toList();
  }
}
