@NullMarked
package dev.superstep.secret;

import org.jspecify.annotations.NullMarked;
