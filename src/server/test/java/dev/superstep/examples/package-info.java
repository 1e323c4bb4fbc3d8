@NullMarked
package dev.superstep.examples;

import org.jspecify.annotations.NullMarked;
