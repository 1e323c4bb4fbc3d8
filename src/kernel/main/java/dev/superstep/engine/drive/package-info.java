/// Drives one claimed run from its checkpoint to where it rests: plan, run, wait, commit. Begin
/// with [dev.superstep.engine.drive.RunDriver].
@NullMarked
package dev.superstep.engine.drive;

import org.jspecify.annotations.NullMarked;
