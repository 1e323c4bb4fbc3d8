package dev.superstep.schedule;

import java.time.Duration;

/// A job that one replica of the cluster runs repeatedly. Beans of this type are scheduled.
///
/// @param name unique and stable
/// @param period from the end of one round to the beginning of the next
public record RecurringJob(String name, Duration period, Runnable action) {}
