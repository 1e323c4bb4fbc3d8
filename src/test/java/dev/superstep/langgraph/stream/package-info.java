@NullMarked
package dev.superstep.langgraph.stream;

import org.jspecify.annotations.NullMarked;
