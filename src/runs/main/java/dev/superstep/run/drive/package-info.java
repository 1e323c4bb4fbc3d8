/// Drives claimed runs on this replica and publishes how they end. Begin with [RunWaker], which
/// claims runs from the [RunQueue], and [RunDriverThread], which drives them.
@NullMarked
package dev.superstep.run.drive;

import org.jspecify.annotations.NullMarked;
