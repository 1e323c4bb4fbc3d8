/// Running the tests of definitions from JUnit, in projects that have nothing of Superstep on their
/// class path but the jar for extensions: this room uses the JDK only. Begin with
/// [dev.superstep.testing.kit.GraphTests].
@NullMarked
package dev.superstep.testing.kit;

import org.jspecify.annotations.NullMarked;
