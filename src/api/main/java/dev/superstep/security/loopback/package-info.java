/// The keys of the settings, and what guards a service that has none: it listens on loopback, and
/// accepts calls from this machine only. Begin with
/// [dev.superstep.security.loopback.LoopbackWithoutKeys].
@NullMarked
package dev.superstep.security.loopback;

import org.jspecify.annotations.NullMarked;
