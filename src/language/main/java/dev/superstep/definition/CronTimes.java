package dev.superstep.definition;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.Temporal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;

/// The times of a cron expression in a time zone: five fields, six with seconds in front, or a word
/// such as `@daily`. Where both a day of the month and a day of the week are given, either is
/// enough, as cron has it.
///
/// Where clocks are put forward, a time that does not exist is the same time after the gap; where
/// they are put back, a time that comes twice counts once. Expressions of every hour, or every so
/// many, go by the time that passes.
public final class CronTimes {
  private static final int FIELDS = 6;
  private static final int HOURS = 2;
  private static final int DAYS = 3;
  private static final int WEEKDAYS = 5;
  private static final int CHARS_MAX = 200;
  private static final Map<String, String> WORDS =
      Map.of(
          "@hourly", "0 * * * *",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@weekly", "0 0 * * 0",
          "@monthly", "0 0 1 * *",
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *");

  private final String text;
  private final ZoneId zone;
  private final List<CronExpression> expressions;
  private final boolean isLocal;

  private CronTimes(String text, ZoneId zone, List<CronExpression> expressions, boolean isLocal) {
    this.text = text;
    this.zone = zone;
    this.expressions = expressions;
    this.isLocal = isLocal;
  }

  /// @throws IllegalArgumentException if `cron` is no cron expression, or names no time at all; it
  ///   says why
  public static CronTimes of(String cron, ZoneId zone) {
    if (cron.length() > CHARS_MAX) {
      throw new IllegalArgumentException("has more than %d characters".formatted(CHARS_MAX));
    }
    var fields = fields(cron.strip());
    var times =
        new CronTimes(
            cron,
            zone,
            expressions(fields),
            fields.size() == FIELDS && !fields.get(HOURS).startsWith("*"));
    if (times.next(Instant.EPOCH).isEmpty()) {
      throw new IllegalArgumentException("'%s' names no time".formatted(cron));
    }
    return times;
  }

  /// @throws IllegalArgumentException if there is no such time zone
  public static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "'%s' is no time zone; one is 'Europe/Zurich' or 'UTC'".formatted(name), e);
    }
  }

  private static List<String> fields(String cron) {
    var fields = List.of(WORDS.getOrDefault(cron, cron).split("\\s+"));
    return fields.size() == FIELDS - 1
        ? Stream.concat(Stream.of("0"), fields.stream()).toList()
        : fields;
  }

  private static List<CronExpression> expressions(List<String> fields) {
    boolean either =
        fields.size() == FIELDS
            && Stream.of(DAYS, WEEKDAYS).map(fields::get).allMatch(CronTimes::isNamed);
    return either
        ? List.of(parsed(without(fields, WEEKDAYS)), parsed(without(fields, DAYS)))
        : List.of(parsed(fields));
  }

  private static boolean isNamed(String field) {
    return !field.startsWith("*") && !field.equals("?");
  }

  private static List<String> without(List<String> fields, int field) {
    return Stream.of(fields.subList(0, field), List.of("*"), fields.subList(field + 1, FIELDS))
        .flatMap(List::stream)
        .toList();
  }

  private static CronExpression parsed(List<String> fields) {
    return CronExpression.parse(String.join(" ", fields));
  }

  /// As it was written.
  public String text() {
    return text;
  }

  public ZoneId zone() {
    return zone;
  }

  /// The first time after `after`; empty: there is none.
  public Optional<Instant> next(Instant after) {
    if (!isLocal) {
      return earliest(after.atZone(zone)).map(it -> it.toInstant());
    }
    Optional<LocalDateTime> local = earliest(LocalDateTime.ofInstant(after, zone));
    while (local.filter(it -> !instant(it).isAfter(after)).isPresent()) {
      local = earliest(local.get()); // it was there when the clocks were not put back yet
    }
    return local.map(this::instant);
  }

  private Instant instant(LocalDateTime local) {
    return local.atZone(zone).toInstant();
  }

  private <T extends Temporal & Comparable<? super T>> Optional<T> earliest(T after) {
    return expressions.stream()
        .map(it -> CronTimes.<T>next(it, after))
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull)
        .min(Comparator.naturalOrder());
  }

  private static <T extends Temporal & Comparable<? super T>> @Nullable T next(
      CronExpression expression, T after) {
    return expression.next(after);
  }

  /// The first times after `after`.
  public List<Instant> next(Instant after, int max) {
    return Stream.iterate(next(after), Optional::isPresent, it -> it.flatMap(this::next))
        .limit(max)
        .flatMap(Optional::stream)
        .toList();
  }

  /// The shortest time between two of the next `looks`.
  public Optional<Duration> shortest(Instant after, int looks) {
    var times = next(after, looks);
    return Stream.iterate(1, it -> it < times.size(), it -> it + 1)
        .map(it -> Duration.between(times.get(it - 1), times.get(it)))
        .min(Duration::compareTo);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CronTimes it && it.text.equals(text) && it.zone.equals(zone);
  }

  @Override
  public int hashCode() {
    return Objects.hash(text, zone);
  }

  @Override
  public String toString() {
    return text + " " + zone;
  }
}
