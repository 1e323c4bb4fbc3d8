package dev.superstep.command;

import java.io.PrintWriter;

/// Where a command writes to.
///
/// @param out what was asked for, to be read by programs as well
/// @param err progress and problems, for people
record Output(PrintWriter out, PrintWriter err) {}
