/// The outside view of a run: header, status, lease, limits, events, signals. Uses `task`. Begin
/// with [dev.superstep.engine.run.RunHeader] and [dev.superstep.engine.run.RunStatus].
@NullMarked
package dev.superstep.engine.run;

import org.jspecify.annotations.NullMarked;
