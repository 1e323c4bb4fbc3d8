/// Superstep as a part of somebody else's application: a context of its own beside the
/// application's, which answers `/v1/**` behind the application's filters. Begin with
/// [dev.superstep.starter.EmbeddedService]. Not used by the service itself; the jar `starter` lists
/// [dev.superstep.starter.SuperstepAutoConfiguration].
@NullMarked
package dev.superstep.starter;

import org.jspecify.annotations.NullMarked;
