/// Runs as clients of the LangGraph Agent Server have them: one for each call, and streams of one
/// run. Begin with [RunLauncher], which decides what a call does, and [RunFrames].
@NullMarked
package dev.superstep.langgraph.run;

import org.jspecify.annotations.NullMarked;
