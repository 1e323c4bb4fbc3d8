/// The published side of runs as a service: commands ([RunService]), queries ([RunQueries]),
/// watches, and what they take and answer. Its packages do the work. Other features use this
/// package only.
@NullMarked
package dev.superstep.run;

import org.jspecify.annotations.NullMarked;
