/// The tables of runs, inputs and threads, and finding the resources that a request names. The only
/// room that knows these entities' columns. Begin with [dev.superstep.run.store.RunFinder].
@NullMarked
package dev.superstep.run.store;

import org.jspecify.annotations.NullMarked;
