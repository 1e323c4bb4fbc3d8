package dev.superstep.problem;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The query parameters of a call. A controller method that takes one names each of them in an
/// annotation `@QueryParameters`; others are refused before it is called.
///
/// Everything that cannot be read is a 422 `invalid_parameter` with the pointer `?name`.
public final class Query {
  public static final int LIMIT_DEFAULT = 50;
  public static final int LIMIT_MAX = 200;
  public static final Duration WAIT_MAX = Duration.ofSeconds(60);

  private final Map<String, List<String>> values;

  /// @param values name → values, decoded, in the order of the request
  public Query(Map<String, List<String>> values) {
    this.values = Map.copyOf(values);
  }

  public Collection<String> names() {
    return values.keySet();
  }

  public Optional<String> text(String name) {
    var all = all(name);
    if (all.size() > 1) {
      throw invalid(name, "may be given only once");
    }
    return all.stream().findFirst();
  }

  /// All values of a parameter that may be repeated.
  public List<String> all(String name) {
    var all = values.getOrDefault(name, List.of());
    for (var value : all) {
      if (value.isEmpty() || value.indexOf('\0') >= 0) {
        throw invalid(name, value.isEmpty() ? "must not be empty" : "must not contain NUL");
      }
    }
    return all;
  }

  public Optional<Integer> integer(String name, int min, int max) {
    return text(name).map(text -> (int) parse(name, text, min, max));
  }

  public Optional<Long> integer(String name, long min, long max) {
    return text(name).map(text -> parse(name, text, min, max));
  }

  public Optional<Boolean> flag(String name) {
    return text(name)
        .map(text ->
            switch (text) {
              case "true" -> true;
              case "false" -> false;
              default -> throw invalid(name, "must be true or false");
            });
  }

  /// RFC 3339, any offset.
  public Optional<Instant> time(String name) {
    return text(name).map(text -> instant(name, text));
  }

  /// One of `options`, as `word` writes them.
  public <T> Optional<T> oneOf(String name, T[] options, Function<T, String> word) {
    return text(name).map(text -> option(name, text, options, word));
  }

  /// Some of `options`, the parameter being repeated.
  public <T> Set<T> someOf(String name, T[] options, Function<T, String> word) {
    var found = new LinkedHashSet<T>();
    all(name).forEach(text -> found.add(option(name, text, options, word)));
    return found;
  }

  /// Some of `options`, as a list with commas, which may be repeated.
  public <T> Set<T> listOf(String name, T[] options, Function<T, String> word) {
    var found = new LinkedHashSet<T>();
    for (var list : all(name)) {
      for (var text : list.split(",", -1)) {
        found.add(option(name, text.strip(), options, word));
      }
    }
    return found;
  }

  /// How many items of a list are wanted.
  public int limit() {
    return limit(LIMIT_MAX);
  }

  /// How many items of a list are wanted, where they are so small that more may be had.
  public int limit(int max) {
    return integer("limit", 1, max).orElse(LIMIT_DEFAULT);
  }

  /// Where the requested part of a list begins, from the cursor of an earlier answer.
  public Optional<String> cursor() {
    return text("cursor");
  }

  /// How long the call may wait for the run to come to rest; empty: it was not asked to.
  public Optional<Duration> waiting() {
    return text("wait").map(Query::wait);
  }

  public static ServiceException invalid(String name, String message) {
    return ServiceException.at(FieldError.parameter(name), ErrorCode.INVALID_PARAMETER, message);
  }

  private static Duration wait(String text) {
    var wait =
        DurationText.parse(text)
            .orElseThrow(() -> invalid("wait", "must be a duration such as 20s or PT20S"));
    if (wait.compareTo(WAIT_MAX) > 0) {
      throw invalid("wait", "must be at most 60s");
    }
    return wait;
  }

  private static long parse(String name, String text, long min, long max) {
    try {
      long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException _) {
      // reported below
    }
    throw invalid(name, "must be an integer from %d to %d".formatted(min, max));
  }

  private static Instant instant(String name, String text) {
    // a plus sign that was not encoded arrives as a space
    return TimeText.parse(text.replace(' ', '+'))
        .orElseThrow(() -> invalid(name, "must be a time such as 2026-01-31T12:00:00Z"));
  }

  private static <T> T option(String name, String text, T[] options, Function<T, String> word) {
    var words = new ArrayList<String>();
    for (var option : options) {
      if (word.apply(option).equals(text)) {
        return option;
      }
      words.add(word.apply(option));
    }
    throw invalid(name, "must be one of " + String.join(", ", words));
  }
}
