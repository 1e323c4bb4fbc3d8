/// Runs work that only needs the processor on a few platform threads, not on the carriers of the
/// virtual threads, so that it blocks no thread that waits for something else; counts tokens. Begin
/// with [ComputePool].
@NullMarked
package dev.superstep.compute;

import org.jspecify.annotations.NullMarked;
