/// The command line: what the jar does in place of serving, as in `java -jar <its jar> validate
/// graph.yaml`. Definitions are read here, and written from graphs of LangGraph, without a server.
/// Begin with [SuperstepCommand].
@NullMarked
package dev.superstep.command;

import org.jspecify.annotations.NullMarked;
