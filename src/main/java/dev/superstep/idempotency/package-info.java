/// Calls that a client may repeat without making anything twice. Begin with [Idempotency].
@NullMarked
package dev.superstep.idempotency;

import org.jspecify.annotations.NullMarked;
