package dev.superstep.pace;

import dev.superstep.model.ModelLimits;
import dev.superstep.model.ModelPace.CallTurn;
import dev.superstep.model.ModelPace.Grant;
import dev.superstep.model.ModelPace.PacedCall;
import dev.superstep.pace.UsedAllowance.Amount;
import dev.superstep.tenant.Tenant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;

/// Runs that call a model with limits, and a provider that counts, on one clock. Drivers are late
/// by up to 100 ms, requests by up to 900 ms, calls take up to 3 s.
final class PacedWorld {
  /// As many as a driver lets wait.
  private static final int PARKED_MAX = 16;

  private static final long LATE = 100;
  private static final long JITTER = 900;

  private final ModelLimits limits;
  private final Random random;
  private final ModelState state = new ModelState(new UsedAllowance(), 0, 0, 1_000);
  private final Map<String, WaitingCall> rows = new HashMap<>();
  private final Set<String> running = new HashSet<>();
  private final Set<String> killed = new HashSet<>();
  private final Map<String, CallingRun> runs = new HashMap<>();
  private final PriorityQueue<Happening> next =
      new PriorityQueue<>(
          Comparator.comparingLong(Happening::at).thenComparingLong(Happening::order));
  private final List<Arrival> arrivals = new ArrayList<>();
  private final List<long[]> busy = new ArrayList<>();
  private long order;
  private long now = 1_000_000_000;
  private final long zero = now;
  private int most;

  private record Happening(long at, long order, Runnable action) {}

  private record Arrival(long at, long tokens, String run) {}

  private static final class CallingRun {
    private final String name;
    private final long tokens;
    private final long begun;
    private int left;
    private int number;

    CallingRun(String name, int calls, long tokens, long begun) {
      this.name = name;
      this.left = calls;
      this.tokens = tokens;
      this.begun = begun;
    }
  }

  PacedWorld(ModelLimits limits, long seed) {
    this.limits = limits;
    this.random = new Random(seed);
  }

  /// @param tokens that each call reserves; it takes no more
  void run(String name, int calls, long tokens) {
    var run = new CallingRun(name, calls, tokens, now);
    runs.put(name, run);
    for (int i = 0; i < PARKED_MAX; i++) {
      begin(run);
    }
  }

  private void begin(CallingRun run) {
    if (run.left > 0) {
      run.left--;
      var id = run.name + "#" + run.number++;
      in(random.nextLong(LATE), () -> ask(run, id));
    }
  }

  private void in(long pause, Runnable action) {
    next.add(new Happening(now + pause, order++, action));
  }

  private void ask(CallingRun run, String id) {
    if (isKilled(run)) {
      return;
    }
    var call = new PacedCall("m", limits, id, Tenant.of(run.name).name(), run.tokens);
    state.used().forgetUntil(now);
    var queue = new CallQueue(limits, state, List.copyOf(rows.values()), running.size(), now);
    var decided = queue.decide(List.of(call));
    decided.queued().forEach(it -> rows.put(it.id(), it));
    switch (Objects.requireNonNull(decided.turns().get(id))) {
      case CallTurn.Later(var pause) ->
          in(pause.toMillis() + random.nextLong(LATE), () -> ask(run, id));
      case CallTurn.Now(var grant, var pause) -> {
        rows.remove(id);
        running.add(id);
        most = Math.max(most, running.size());
        in(pause.toMillis() + random.nextLong(JITTER), () -> arrive(run, grant));
        begin(run);
      }
    }
  }

  private boolean isKilled(CallingRun run) {
    return killed.stream().anyMatch(run.name::startsWith);
  }

  private void arrive(CallingRun run, Grant grant) {
    long tokens = Math.max(1, run.tokens / 2 + random.nextLong(run.tokens / 2 + 1));
    arrivals.add(new Arrival(now, tokens, run.name));
    long takes = 500 + random.nextLong(2_500);
    busy.add(new long[] {now, now + takes});
    in(
        takes,
        () -> {
          running.remove(grant.call().id());
          state.used().add(grant.atMs(), new Amount(0, tokens - grant.call().tokens()), now);
          state.took(takes);
        });
  }

  /// A replica dies with all runs whose names begin like this.
  void kill(String prefix) {
    killed.add(prefix);
  }

  void pauseFor(long ms) {
    state.pauseUntil(now + ms);
  }

  /// @param ms since the beginning
  void until(long ms) {
    while (!next.isEmpty() && next.peek().at() <= zero + ms) {
      var happening = next.remove();
      now = Math.max(now, happening.at());
      happening.action().run();
    }
    now = zero + ms;
  }

  int between(long from, long to) {
    return (int) arrivals.stream().filter(it -> isIn(it, from, to)).count();
  }

  long tokensBetween(long from, long to) {
    return arrivals.stream().filter(it -> isIn(it, from, to)).mapToLong(Arrival::tokens).sum();
  }

  private boolean isIn(Arrival arrival, long from, long to) {
    return arrival.at() >= zero + from && arrival.at() < zero + to;
  }

  int inAnyMinute() {
    return arrivals.stream()
        .mapToInt(it -> between(it.at() - zero, it.at() - zero + 60_000))
        .max()
        .orElse(0);
  }

  long tokensInAnyMinute() {
    return arrivals.stream()
        .mapToLong(it -> tokensBetween(it.at() - zero, it.at() - zero + 60_000))
        .max()
        .orElse(0);
  }

  /// How many requests find too little in a bucket of a minute's allowance that is filled evenly.
  int overdrafts() {
    double requests = limits.requestsPerMinute().orElseThrow();
    double tokens = limits.tokensPerMinute().orElseThrow();
    double requestsLeft = requests;
    double tokensLeft = tokens;
    long last = zero;
    int overdrafts = 0;
    for (var arrival : arrivals) {
      double minutes = (arrival.at() - last) / 60_000.0;
      requestsLeft = Math.min(requests, requestsLeft + minutes * requests) - 1;
      tokensLeft = Math.min(tokens, tokensLeft + minutes * tokens) - arrival.tokens();
      overdrafts += requestsLeft < 0 || tokensLeft < 0 ? 1 : 0;
      last = arrival.at();
    }
    return overdrafts;
  }

  long longestPause(long from, long to) {
    long last = zero + from;
    long longest = 0;
    for (var arrival : arrivals) {
      if (isIn(arrival, from, to)) {
        longest = Math.max(longest, arrival.at() - last);
        last = arrival.at();
      }
    }
    return longest;
  }

  int mostAtATime() {
    return most;
  }

  /// How many calls were made at a time, on average.
  double busy(long from, long to) {
    long sum = 0;
    for (var call : busy) {
      sum += Math.max(0, Math.min(call[1], zero + to) - Math.max(call[0], zero + from));
    }
    return (double) sum / (to - from);
  }

  long waitOf(String run) {
    return arrivals.stream().filter(it -> it.run().equals(run)).findFirst().orElseThrow().at()
        - Objects.requireNonNull(runs.get(run)).begun;
  }
}
