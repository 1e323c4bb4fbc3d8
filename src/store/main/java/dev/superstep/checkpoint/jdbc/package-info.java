/// What writes share: which failures are outages, retries. Begin with
/// [dev.superstep.checkpoint.jdbc.Retries].
@NullMarked
package dev.superstep.checkpoint.jdbc;

import org.jspecify.annotations.NullMarked;
