/// Assistants, and threads as clients of the LangGraph Agent Server see them: with values, tasks
/// and questions, and with their history as one chain of checkpoints. Begin with [ThreadStates].
@NullMarked
package dev.superstep.langgraph.thread;

import org.jspecify.annotations.NullMarked;
