/// Tests of threads as clients of the LangGraph Agent Server see them.
@NullMarked
package dev.superstep.langgraph.thread;

import org.jspecify.annotations.NullMarked;
