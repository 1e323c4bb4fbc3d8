@NullMarked
package dev.superstep.problem;

import org.jspecify.annotations.NullMarked;
