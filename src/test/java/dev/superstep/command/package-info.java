@NullMarked
package dev.superstep.command;

import org.jspecify.annotations.NullMarked;
