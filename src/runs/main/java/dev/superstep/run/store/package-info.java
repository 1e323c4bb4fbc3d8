/// The tables of runs, inputs, children and threads, finding the resources that a request names,
/// and deleting what is kept long enough. Only this package knows these entities' columns. Begin
/// with [RunFinder].
@NullMarked
package dev.superstep.run.store;

import org.jspecify.annotations.NullMarked;
