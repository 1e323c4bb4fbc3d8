package dev.superstep.wide;

import dev.superstep.engine.Program;
import dev.superstep.engine.checkpoint.LoadedRun;

/// What executing tasks of a superstep needs: the program and the loaded run.
record SliceContext(Program program, LoadedRun loadedRun) {}
