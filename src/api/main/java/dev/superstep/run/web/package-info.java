/// The REST calls about runs, interrupts and threads. Bodies are in `request` and `response`, event
/// streams in `stream`. Begin with [dev.superstep.run.web.RunController].
@NullMarked
package dev.superstep.run.web;

import org.jspecify.annotations.NullMarked;
