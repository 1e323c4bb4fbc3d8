@NullMarked
package dev.superstep.langgraph.store;

import org.jspecify.annotations.NullMarked;
