/// The published side of runs as a service: commands ([dev.superstep.run.RunService]), queries
/// ([dev.superstep.run.RunQueries]) and watches. Its packages do the work: `start`, `drive`,
/// `queue`, `child`, `query`, `store`, `live`; `service` puts them together. Other features use
/// this package only.
@NullMarked
package dev.superstep.run;

import org.jspecify.annotations.NullMarked;
