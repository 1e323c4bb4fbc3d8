/// Wake-ups of runs and the life of replicas: the only place that knows db-scheduler.
@NullMarked
package dev.superstep.schedule;

import org.jspecify.annotations.NullMarked;
