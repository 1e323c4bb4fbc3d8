/// How many tokens a text has for a model.
@NullMarked
package dev.superstep.token;

import org.jspecify.annotations.NullMarked;
