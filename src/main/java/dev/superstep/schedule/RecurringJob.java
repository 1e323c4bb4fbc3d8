package dev.superstep.schedule;

import java.time.Duration;

/// Something one replica of the cluster does again and again. Beans of this type are found.
///
/// @param name unique and stable
/// @param period from the end of one round to the beginning of the next
public record RecurringJob(String name, Duration period, Runnable action) {}
