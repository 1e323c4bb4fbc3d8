package dev.superstep.wide;

import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.program.Program;

/// All that executing tasks of a superstep takes.
record SliceContext(Program program, LoadedRun image) {}
