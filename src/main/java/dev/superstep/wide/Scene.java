package dev.superstep.wide;

import dev.superstep.engine.Program;
import dev.superstep.engine.RunImage;

/// All that executing tasks of a superstep takes.
record Scene(Program program, RunImage image) {}
