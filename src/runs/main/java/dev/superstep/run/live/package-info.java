/// Live events of runs, in this process and between replicas. Nothing here is the truth: streams
/// read that from the database. Begin with [dev.superstep.run.live.LiveEventBus].
@NullMarked
package dev.superstep.run.live;

import org.jspecify.annotations.NullMarked;
