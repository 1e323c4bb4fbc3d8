package dev.superstep.run.trigger;

import dev.superstep.run.trigger.PlannedStart.MissReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// What is done about the times of a schedule that are over.
///
/// @param starts one for each time, in their order
/// @param next the first time that is not over; empty: there is none
record StartPlan(List<PlannedStart> starts, Optional<Instant> next) {
  /// Times that are looked at after an outage, and that may wait for the run before.
  static final int TIMES_MAX = 100;

  /// A time is met as long as it is not over by more than this: a replica that dies is replaced
  /// within it.
  static final Duration LATE = Duration.ofMinutes(1);

  /// How far back the last times are looked for first.
  private static final Duration NEAR = Duration.ofMinutes(5);

  /// When a schedule is looked at.
  ///
  /// @param since when that began which looks at one after the other: how long it takes makes none
  ///   of them late
  record ScheduleLook(Instant now, Instant since) {}

  StartPlan {
    starts = List.copyOf(starts);
  }

  /// @param schedule which has a next time
  /// @param waiting how many starts of it wait already
  static StartPlan of(RunSchedule schedule, ScheduleLook look, int waiting) {
    var now = look.now();
    var first = schedule.nextAt().orElseThrow();
    var times = last(schedule, first, now);
    var next = times.isEmpty() ? Optional.of(first) : schedule.next(times.getLast());
    var starts = new ArrayList<PlannedStart>();
    if (!times.isEmpty() && first.isBefore(times.getFirst())) {
      var detail = "no replica was there, nor for the times until " + times.getFirst();
      starts.add(PlannedStart.missed(first, now, new MissReason(MissReason.OUTAGE, detail)));
    }
    int room = TIMES_MAX - waiting;
    for (int i = 0; i < times.size(); i++) {
      var start = start(schedule, times, i, look);
      if (start.reason().isEmpty() && room-- <= 0) {
        var detail = "%d starts wait for the run before them already".formatted(TIMES_MAX);
        start =
            PlannedStart.missed(times.get(i), now, new MissReason(MissReason.QUEUE_FULL, detail));
      }
      starts.add(start);
    }
    return new StartPlan(starts, next);
  }

  /// Also of times whose jitter is not over yet: before the times become others.
  static StartPlan whole(RunSchedule schedule, Instant now, int waiting) {
    var plan = of(schedule, new ScheduleLook(now, now), waiting);
    var starts = new ArrayList<>(plan.starts());
    var next = plan.next();
    while (next.filter(it -> !it.isAfter(now)).isPresent() && starts.size() <= TIMES_MAX) {
      starts.add(PlannedStart.waiting(next.get(), now));
      next = schedule.next(next.get());
    }
    return new StartPlan(starts, next);
  }

  private static PlannedStart start(
      RunSchedule schedule, List<Instant> times, int index, ScheduleLook look) {
    var time = times.get(index);
    boolean caughtUp =
        switch (schedule.timing().catchUp()) {
          case ALL -> true;
          case LAST -> index == times.size() - 1 || !isLate(schedule, times.get(index + 1), look);
          case NONE -> false;
        };
    return caughtUp || !isLate(schedule, time, look)
        ? PlannedStart.waiting(time, look.now())
        : PlannedStart.missed(
            time, look.now(), new MissReason(MissReason.OUTAGE, "no replica was there"));
  }

  private static boolean isLate(RunSchedule schedule, Instant time, ScheduleLook look) {
    return schedule.due(time).plus(LATE).isBefore(look.since());
  }

  /// The last times that are due. They are looked for from ever further back, so that what years of
  /// an outage cost is bounded.
  private static List<Instant> last(RunSchedule schedule, Instant first, Instant now) {
    for (var back = NEAR; true; back = back.multipliedBy(4)) {
      var from = now.minus(back).minus(schedule.timing().jitter());
      boolean whole = !from.isAfter(first);
      var times = due(schedule, whole ? Optional.of(first) : schedule.next(from), now);
      if (whole || times.size() >= TIMES_MAX) {
        return List.copyOf(times);
      }
    }
  }

  private static Deque<Instant> due(RunSchedule schedule, Optional<Instant> first, Instant now) {
    var times = new ArrayDeque<Instant>();
    for (var time = first;
        time.filter(it -> !schedule.due(it).isAfter(now)).isPresent();
        time = schedule.next(time.get())) {
      times.add(time.get());
      if (times.size() > TIMES_MAX) {
        times.removeFirst();
      }
    }
    return times;
  }
}
