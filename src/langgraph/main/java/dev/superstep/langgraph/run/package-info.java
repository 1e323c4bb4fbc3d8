/// Runs as clients of the LangGraph Agent Server have them, one for each call, and the streams of
/// one run or of a whole thread. Begin with [RunLauncher], which decides what a call does, and
/// [RunFrames], which makes each event of a stream a [StreamPart].
@NullMarked
package dev.superstep.langgraph.run;

import org.jspecify.annotations.NullMarked;
