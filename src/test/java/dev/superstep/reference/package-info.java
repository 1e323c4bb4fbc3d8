@NullMarked
package dev.superstep.reference;

import org.jspecify.annotations.NullMarked;
