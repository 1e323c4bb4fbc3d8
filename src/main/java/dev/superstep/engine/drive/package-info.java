/// One claimed run from its checkpoint to where it rests: plan, run, wait, commit. Begin with
/// [dev.superstep.engine.drive.RunDriver]; limits of supersteps and time are enforced in
/// [dev.superstep.engine.drive.RunTransitions].
@NullMarked
package dev.superstep.engine.drive;

import org.jspecify.annotations.NullMarked;
