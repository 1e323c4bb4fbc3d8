/// Runs as a service: start, resume, answer, cancel, fork, delete, look at; claiming and driving
/// them.
@NullMarked
package dev.superstep.run;

import org.jspecify.annotations.NullMarked;
