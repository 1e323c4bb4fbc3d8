/// A compiled graph as the engine runs it, and the compactions of its channels. Begin with
/// [dev.superstep.engine.program.Program].
@NullMarked
package dev.superstep.engine.program;

import org.jspecify.annotations.NullMarked;
