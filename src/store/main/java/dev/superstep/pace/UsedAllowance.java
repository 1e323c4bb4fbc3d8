package dev.superstep.pace;

import dev.superstep.model.ModelLimits;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What calls of a model have taken of its allowance in the last minute, in quarters of a second. A
/// quarter counts until a minute and [#MARGIN] after its end: requests reach the provider a little
/// later than they begin, and not all equally late. So neither a provider that counts any sixty
/// seconds, nor one that fills a bucket of a minute's allowance evenly, counts more than is
/// allowed.
final class UsedAllowance {
  /// By how much longer a request may take to the provider than one of a minute later.
  static final long MARGIN = 1_000;

  static final long QUARTER = 250;

  /// From the beginning of a quarter.
  static final long PERIOD = 60_000 + MARGIN + QUARTER;

  private static final long TENTH = 6_000 + QUARTER;
  private static final long UNLIMITED = Long.MAX_VALUE / 100;

  private final TreeMap<Long, Amount> quarters = new TreeMap<>();

  /// @param requests that began, and the tokens that they have taken or may take
  record Amount(long requests, long tokens) {
    static final Amount NOTHING = new Amount(0, 0);

    Amount plus(Amount other) {
      return new Amount(requests + other.requests, tokens + other.tokens);
    }

    Amount minus(Amount other) {
      return new Amount(requests - other.requests, tokens - other.tokens);
    }
  }

  static UsedAllowance read(String text) {
    var used = new UsedAllowance();
    if (!text.isEmpty()) {
      for (var quarter : text.split(";", -1)) {
        var numbers = quarter.split(" ", -1);
        used.quarters.put(
            Long.parseLong(numbers[0]) * QUARTER,
            new Amount(Long.parseLong(numbers[1]), Long.parseLong(numbers[2])));
      }
    }
    return used;
  }

  String write() {
    return quarters.entrySet().stream()
        .map(it ->
            "%d %d %d"
                .formatted(it.getKey() / QUARTER, it.getValue().requests(), it.getValue().tokens()))
        .collect(Collectors.joining(";"));
  }

  /// Adds to what began at a time, or takes away from it. What is over is left alone.
  void add(long at, Amount amount, long now) {
    long quarter = at - Math.floorMod(at, QUARTER);
    if (quarter + PERIOD > now) {
      quarters.merge(quarter, amount, UsedAllowance::sum);
    }
  }

  private static @Nullable Amount sum(Amount before, Amount more) {
    var sum = before.plus(more);
    return sum.equals(Amount.NOTHING) ? null : sum;
  }

  void forgetUntil(long now) {
    quarters.headMap(now - PERIOD, true).clear();
  }

  Amount sum() {
    return quarters.values().stream().reduce(Amount.NOTHING, Amount::plus);
  }

  /// Tells the calls that queue, one after the other, when there is room for each. A tenth of a
  /// minute has little more than a tenth of its allowance, so that calls do not come in bursts.
  final class SlotFinder {
    private final CountedSpan minute;
    private final CountedSpan tenth;
    private final long tokensMax;
    private long at;

    /// @param from before which there is none
    SlotFinder(ModelLimits limits, long from) {
      long requests = limits.requestsPerMinute().map(Integer::longValue).orElse(UNLIMITED);
      tokensMax = limits.tokensPerMinute().orElse(UNLIMITED);
      minute = new CountedSpan(PERIOD, requests, tokensMax);
      tenth = new CountedSpan(TENTH, tenth(requests), tenth(tokensMax));
      at = from;
      quarters.forEach(this::take);
    }

    private static long tenth(long ofMinute) {
      return Math.ceilDiv(ofMinute * 11, 100);
    }

    private void take(long quarter, Amount amount) {
      minute.take(quarter, amount);
      tenth.take(quarter, amount);
    }

    /// One that takes more than a minute's allowance goes when nothing else counts.
    long next(long tokens) {
      long wanted = Math.min(tokens, tokensMax);
      while (true) {
        minute.forgetUntil(at);
        tenth.forgetUntil(at);
        if (!minute.holds(wanted)) {
          at = minute.next();
        } else if (!tenth.holds(1)) {
          at = tenth.next();
        } else {
          take(at, new Amount(1, wanted));
          return at;
        }
      }
    }
  }

  /// What counts at a time.
  private static final class CountedSpan {
    private final long length;
    private final long requestsMax;
    private final long tokensMax;
    private final ArrayDeque<Map.Entry<Long, Amount>> taken = new ArrayDeque<>();
    private Amount sum = Amount.NOTHING;

    CountedSpan(long length, long requestsMax, long tokensMax) {
      this.length = length;
      this.requestsMax = requestsMax;
      this.tokensMax = tokensMax;
    }

    void take(long at, Amount amount) {
      taken.add(Map.entry(at + length, amount));
      sum = sum.plus(amount);
    }

    void forgetUntil(long at) {
      while (!taken.isEmpty() && taken.peek().getKey() <= at) {
        sum = sum.minus(taken.remove().getValue());
      }
    }

    boolean holds(long tokens) {
      return taken.isEmpty()
          || (sum.requests() < requestsMax && sum.tokens() <= tokensMax - tokens);
    }

    /// When the first of what counts does so no more.
    long next() {
      return taken.element().getKey();
    }
  }
}
