/// Wake-ups of runs, recurring work of the cluster, and notifications between replicas; what a
/// replica knows of itself, of the others and of the database. Begin with [WakeUps] and
/// [DbWakeUps].
@NullMarked
package dev.superstep.schedule;

import org.jspecify.annotations.NullMarked;
