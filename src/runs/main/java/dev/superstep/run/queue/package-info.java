/// Which queued run a replica takes next, and taking it: fair shares of keys and graphs, suspects,
/// backoff, the fenced claim. Begin with [dev.superstep.run.queue.RunQueue] and
/// [dev.superstep.run.queue.RunClaims].
@NullMarked
package dev.superstep.run.queue;

import org.jspecify.annotations.NullMarked;
