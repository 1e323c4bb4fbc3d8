/// Drives claimed runs on this replica and publishes how they end. Begin with
/// [dev.superstep.run.drive.RunWaker], which claims runs, and
/// [dev.superstep.run.drive.RunDriverThread], which drives them.
@NullMarked
package dev.superstep.run.drive;

import org.jspecify.annotations.NullMarked;
