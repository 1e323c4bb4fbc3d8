/// The tests that definitions carry: what they say, and what is reported about them. They are run
/// elsewhere, by a [dev.superstep.definition.testing.TestRunner]. Begin with
/// [dev.superstep.definition.testing.TestCase].
@NullMarked
package dev.superstep.definition.testing;

import org.jspecify.annotations.NullMarked;
