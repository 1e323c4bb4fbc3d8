/// Where work that only needs the processor is done: on a few threads of the operating system, not
/// on those that carry the virtual threads, so that it holds nobody up who waits for something
/// else. Begin with [ComputePool].
@NullMarked
package dev.superstep.compute;

import org.jspecify.annotations.NullMarked;
