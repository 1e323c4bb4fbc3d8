/// Wake-ups of runs, recurring work of the cluster, and notifications between replicas, as the rest
/// of the service sees them. Begin with [dev.superstep.schedule.WakeUps].
@NullMarked
package dev.superstep.schedule;

import org.jspecify.annotations.NullMarked;
