/// Definitions read and run without a server. Tests that definitions carry run in memory: the
/// engine with a store that keeps one run, a clock that only tests move, and nodes that get what
/// they would get from outside from the test. All of it on the calling thread. Begin with
/// [dev.superstep.testing.VirtualRun], the run; [dev.superstep.testing.GraphTestRunner] runs the
/// tests of a definition with it, the room `kit` tests in Java.
@NullMarked
package dev.superstep.testing;

import org.jspecify.annotations.NullMarked;
