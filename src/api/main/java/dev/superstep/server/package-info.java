/// What this server is and how it fares, as callers of the API may know it.
@NullMarked
package dev.superstep.server;

import org.jspecify.annotations.NullMarked;
