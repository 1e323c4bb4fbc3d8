/// A chat model for tests and examples.
@NullMarked
package dev.superstep.model.stub;

import org.jspecify.annotations.NullMarked;
