package dev.superstep.bench;

import java.util.Arrays;
import java.util.List;

/// Something measured, once in each repeat.
///
/// @param key names it for comparisons, such as `W1 durable 8`
/// @param label for people
/// @param unit of the values
record Figure(String key, String label, String unit) {
  static Figure of(String key, String label, String unit) {
    return new Figure(key, label, unit);
  }

  /// @param limit the raw limit measured beside the value; NaN if there is none
  record Sample(double value, double limit) {
    double ratio() {
      return value / limit;
    }
  }

  static double median(List<Double> values) {
    var sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1
        ? sorted[middle]
        : Arrays.stream(sorted, middle - 1, middle + 1).average().orElse(Double.NaN);
  }
}
