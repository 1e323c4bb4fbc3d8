/// Classes that the suite puts into a jar for `superstep.extensions`: what only a test may bring
/// into the service. None of them is a component, so that no other test finds it.
@NullMarked
package dev.superstep.fault.extension;

import org.jspecify.annotations.NullMarked;
