/// The tables of runs, inputs and threads as entities, and finding what a request names. Statements
/// for many rows, and those of drivers, are where they are used. Begin with
/// [dev.superstep.run.store.RunFinder].
@NullMarked
package dev.superstep.run.store;

import org.jspecify.annotations.NullMarked;
