package dev.superstep.schedule;

import java.time.Duration;
import java.util.function.Supplier;

/// A job that one replica of the cluster runs repeatedly. Beans of this type are scheduled.
///
/// @param name unique and stable
/// @param period from the end of one round to the beginning of the next, asked for after each
public record RecurringJob(String name, Supplier<Duration> period, Runnable action) {

  public RecurringJob(String name, Duration period, Runnable action) {
    this(name, () -> period, action);
  }
}
