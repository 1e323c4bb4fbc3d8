@NullMarked
package dev.superstep.testing.command;

import org.jspecify.annotations.NullMarked;
