@NullMarked
package dev.superstep.langgraph.protocol;

import org.jspecify.annotations.NullMarked;
