/// Calls that a client may repeat without creating anything twice.
@NullMarked
package dev.superstep.idempotency;

import org.jspecify.annotations.NullMarked;
