@NullMarked
package dev.superstep.json;

import org.jspecify.annotations.NullMarked;
