/// Checks of what is asked for before anything is stored: limits, quotas, answers, context edits.
/// Begin with [dev.superstep.run.check.StartChecks].
@NullMarked
package dev.superstep.run.check;

import org.jspecify.annotations.NullMarked;
