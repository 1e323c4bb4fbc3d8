/// Tests of graphs in Java. [dev.superstep.testing.kit.SuperstepTest] runs a graph in the test's
/// own process; begin there. [dev.superstep.testing.kit.GraphTests] runs the tests that definitions
/// carry with the service's jar; it uses the JDK only, as it is in the jar for extensions.
@NullMarked
package dev.superstep.testing.kit;

import org.jspecify.annotations.NullMarked;
