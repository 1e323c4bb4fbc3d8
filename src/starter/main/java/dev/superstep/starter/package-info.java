/// Superstep as a part of somebody else's application: a context of its own beside the
/// application's, which answers `/v1/**` behind the application's filters. Begin with
/// [dev.superstep.starter.EmbeddedService]. The service itself does without it.
@NullMarked
package dev.superstep.starter;

import org.jspecify.annotations.NullMarked;
