@NullMarked
package dev.superstep.console;

import org.jspecify.annotations.NullMarked;
