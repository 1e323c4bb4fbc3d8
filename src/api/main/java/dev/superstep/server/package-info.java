/// What this server is and offers: its state, error codes, models and tools. Begin with
/// [ServerController].
@NullMarked
package dev.superstep.server;

import org.jspecify.annotations.NullMarked;
