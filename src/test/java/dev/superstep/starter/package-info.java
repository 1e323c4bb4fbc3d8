@NullMarked
package dev.superstep.starter;

import org.jspecify.annotations.NullMarked;
