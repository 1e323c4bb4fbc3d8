@NullMarked
package dev.superstep.context;

import org.jspecify.annotations.NullMarked;
