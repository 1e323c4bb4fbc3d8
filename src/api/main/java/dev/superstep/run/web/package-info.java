/// The REST calls about runs, interrupts and threads: what a request holds, what is answered, and
/// streams of events. Begin with [RunController].
@NullMarked
package dev.superstep.run.web;

import org.jspecify.annotations.NullMarked;
