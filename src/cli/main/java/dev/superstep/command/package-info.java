/// The command line, a jar of its own: `java -jar superstep-cli.jar validate graph.yaml`.
/// Definitions are read here, and written from graphs of LangGraph, without a server. Begin with
/// [SuperstepCommand].
@NullMarked
package dev.superstep.command;

import org.jspecify.annotations.NullMarked;
