/// The published side of runs as a service: what can be asked for ([dev.superstep.run.RunService]),
/// what can be looked at ([dev.superstep.run.RunQueries]) and watched. Its rooms do the work:
/// `start`, `drive`, `queue`, `child`, `query`, `store`, `live`; `service` puts them together.
/// Other features use this package only.
@NullMarked
package dev.superstep.run;

import org.jspecify.annotations.NullMarked;
