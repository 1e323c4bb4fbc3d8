@NullMarked
package dev.superstep.graph;

import org.jspecify.annotations.NullMarked;
