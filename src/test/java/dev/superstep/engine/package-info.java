@NullMarked
package dev.superstep.engine;

import org.jspecify.annotations.NullMarked;
