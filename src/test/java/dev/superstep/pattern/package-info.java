@NullMarked
package dev.superstep.pattern;

import org.jspecify.annotations.NullMarked;
