@NullMarked
package dev.superstep.packaging;

import org.jspecify.annotations.NullMarked;
