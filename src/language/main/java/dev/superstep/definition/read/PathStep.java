package dev.superstep.definition.read;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The tasks that one superstep must have.
public record PathStep(List<StepPart> parts) {
  private static final Pattern PART =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_-]{0,63})(?:\\s?([*×])\\s?([1-9][0-9]{0,5})?)?");

  public PathStep {
    parts = List.copyOf(parts);
  }

  /// @param count of its tasks; empty: any number
  public record StepPart(String node, Optional<Integer> count) {

    /// Reads `node`, `node*10` or `node*`.
    static Optional<StepPart> parse(String text) {
      var found = PART.matcher(text);
      if (!found.matches()) {
        return Optional.empty();
      }
      var count =
          found.group(2) == null
              ? Optional.of(1)
              : Optional.ofNullable(found.group(3)).map(Integer::valueOf);
      return Optional.of(new StepPart(found.group(1), count));
    }

    private String written() {
      return count.map(it -> written(node, it)).orElse(node + "*");
    }

    private static String written(String node, int count) {
      return count == 1 ? node : node + "*" + count;
    }
  }

  /// @param tasks number of tasks by node
  public boolean matches(Map<String, Integer> tasks) {
    return parts.size() == tasks.size()
        && parts.stream()
            .allMatch(it ->
                tasks.containsKey(it.node())
                    && it.count().map(tasks.get(it.node())::equals).orElse(true));
  }

  /// As reports show it.
  public List<String> written() {
    return parts.stream().map(StepPart::written).toList();
  }

  /// How a superstep would be expected that has just these tasks.
  public static List<String> written(Map<String, Integer> tasks) {
    var parts = new ArrayList<String>();
    tasks.forEach((node, count) -> parts.add(StepPart.written(node, count)));
    Collections.sort(parts);
    return parts;
  }
}
