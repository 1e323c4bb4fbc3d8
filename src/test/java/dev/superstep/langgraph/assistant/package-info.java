/// Tests of assistants.
@NullMarked
package dev.superstep.langgraph.assistant;

import org.jspecify.annotations.NullMarked;
