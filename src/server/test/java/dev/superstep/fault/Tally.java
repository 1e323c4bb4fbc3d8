package dev.superstep.fault;

import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What came of one scenario: a line of JSON.
final class Tally {
  private final String scenario;
  private final long seed;
  private final Map<String, Long> faults = Collections.synchronizedMap(new TreeMap<>());
  private final Map<String, Long> figures = Collections.synchronizedMap(new TreeMap<>());
  private final List<Duration> takeovers = Collections.synchronizedList(new ArrayList<>());
  private final List<String> violations = Collections.synchronizedList(new ArrayList<>());
  private Value skipped = Value.NULL;
  private long allowedRepeats;
  private long rejected;
  private int runs;

  Tally(String scenario, long seed) {
    this.scenario = scenario;
    this.seed = seed;
  }

  void fault(String name) {
    fault(name, 1);
  }

  void fault(String name, long count) {
    if (count > 0) {
      faults.merge(name, count, Long::sum);
    }
  }

  /// A figure of this scenario only.
  void figure(String name, long value) {
    figures.put(name, value);
  }

  /// How many slices were handed out: a scenario that is named for them has some.
  void spread(int slices) {
    figure("slices", slices);
    if (slices == 0 && scenario.endsWith(", wide")) {
      violation("no superstep was spread over the replicas");
    }
  }

  void figurePlus(String name, long value) {
    figures.merge(name, value, Long::sum);
  }

  void figureMax(String name, long value) {
    figures.merge(name, value, Math::max);
  }

  void takeover(Duration time) {
    takeovers.add(time);
  }

  void rejected(double count) {
    rejected += Math.round(count);
  }

  void runs(int count) {
    runs += count;
  }

  /// I10: so many tasks had been started and not recorded when a fault struck.
  void allowRepeats(long count) {
    allowedRepeats += count;
  }

  long allowedRepeats() {
    return allowedRepeats;
  }

  void skipped(String reason) {
    skipped = Value.of(reason);
  }

  /// Adds what another one counted, as figures: of a mutant, violations are what is wanted.
  void takeOver(Tally other) {
    faults.putAll(other.faults);
    figures.putAll(other.figures);
    takeovers.addAll(other.takeovers);
    rejected += other.rejected;
    runs += other.runs;
    figure("violations_noticed", other.violations.size());
    other.violations.stream().findFirst().ifPresent(it -> System.out.println("noticed: " + it));
  }

  void violation(String what) {
    violations.add(what);
  }

  void violations(List<String> what) {
    violations.addAll(what);
  }

  List<String> violations() {
    return List.copyOf(violations);
  }

  long injected() {
    return faults.values().stream().mapToLong(Long::longValue).sum();
  }

  /// Prints the line, and appends it to `target/faults.jsonl`.
  void report() {
    var line = json();
    System.out.println(line);
    var file = Path.of("target", "faults.jsonl");
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String json() {
    return Canonical.text(
        ObjectValue.of("scenario", Value.of(scenario))
            .plus("seed", Value.of(seed))
            .plus("faults", numbers(faults))
            .plus("figures", numbers(figures))
            .plus("runs", Value.of(runs))
            .plus("takeovers", Value.of(takeovers.size()))
            .plus("takeover_ms_p50", percentile(0.50))
            .plus("takeover_ms_p95", percentile(0.95))
            .plus("takeover_ms_p99", percentile(0.99))
            .plus("zombie_commits_rejected", Value.of(rejected))
            .plus("violations", texts(violations))
            .plus("skipped", skipped));
  }

  private Value percentile(double share) {
    return takeover(share).<Value>map(it -> Value.of(it.toMillis())).orElse(Value.NULL);
  }

  /// The time within which that share of the takeovers was done; empty if there was none.
  Optional<Duration> takeover(double share) {
    var sorted = takeovers.stream().sorted().toList();
    int index = (int) Math.ceil(share * sorted.size()) - 1;
    return sorted.isEmpty() ? Optional.empty() : Optional.of(sorted.get(Math.max(0, index)));
  }

  private static Value numbers(Map<String, Long> numbers) {
    var object = ObjectValue.empty();
    for (var entry : numbers.entrySet()) {
      object = object.plus(entry.getKey(), Value.of(entry.getValue()));
    }
    return object;
  }

  private static Value texts(List<String> texts) {
    var list = ListValue.empty();
    for (var text : texts) {
      list = list.plus(Value.of(text));
    }
    return list;
  }
}
