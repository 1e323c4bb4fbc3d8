/// Drives claimed runs on this replica and hands their ends on. Begin with
/// [dev.superstep.run.drive.RunWaker], which looks for work, and
/// [dev.superstep.run.drive.RunDriverThread], which does it.
@NullMarked
package dev.superstep.run.drive;

import org.jspecify.annotations.NullMarked;
