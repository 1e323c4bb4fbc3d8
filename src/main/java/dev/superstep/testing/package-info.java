/// Runs the tests that definitions carry, in memory: the engine with a store that keeps one run, a
/// clock that only tests move, and nodes that get what they would get from outside from the test.
/// All of it on the calling thread. Begin with [dev.superstep.testing.GraphTestRunner].
@NullMarked
package dev.superstep.testing;

import org.jspecify.annotations.NullMarked;
