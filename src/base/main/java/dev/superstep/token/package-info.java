/// Counts the tokens of a text for a model.
@NullMarked
package dev.superstep.token;

import org.jspecify.annotations.NullMarked;
