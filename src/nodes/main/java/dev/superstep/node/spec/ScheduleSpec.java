package dev.superstep.node.spec;

import java.time.Duration;
import java.util.Map;

/// The table ScheduleDefinition of the language.
public interface ScheduleSpec {
  /// Which runs start for times at which no replica was there: none, last, all
  ScheduleSpec catchUp(String value);

  /// Minute, hour, day of month, month, day of week; six fields begin with a second
  ScheduleSpec cron(String value);

  /// Of each run
  ScheduleSpec input(Map<String, ?> value);

  /// By up to how much a start is later than its time
  ScheduleSpec jitter(Duration value);

  /// What happens at a time at which a run of before has not ended: skip, queue, cancel_old, allow
  ScheduleSpec overlap(String value);

  /// Whose clock it is, such as Europe/Zurich
  ScheduleSpec zone(String value);
}
