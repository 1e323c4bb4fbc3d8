@NullMarked
package dev.superstep.definition;

import org.jspecify.annotations.NullMarked;
