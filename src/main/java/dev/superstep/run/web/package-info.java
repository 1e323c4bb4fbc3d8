/// The REST calls about runs, their interrupts, threads and events: requests in, records out.
@NullMarked
package dev.superstep.run.web;

import org.jspecify.annotations.NullMarked;
