package dev.superstep.wide;

import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.program.Program;

/// What executing tasks of a superstep needs: the program and the loaded run.
record SliceContext(Program program, LoadedRun loadedRun) {}
