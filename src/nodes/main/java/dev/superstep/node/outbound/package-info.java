/// The one guarded HTTP client: bounded, without redirects to addresses that are not allowed, keys
/// never in logs. Begin with [dev.superstep.node.outbound.GuardedHttpClient].
@NullMarked
package dev.superstep.node.outbound;

import org.jspecify.annotations.NullMarked;
