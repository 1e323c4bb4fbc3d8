/// Runs as clients of the LangGraph Agent Server have them: one for each call. Begin with
/// [dev.superstep.langgraph.run.RunLauncher], which decides what a call does.
@NullMarked
package dev.superstep.langgraph.run;

import org.jspecify.annotations.NullMarked;
