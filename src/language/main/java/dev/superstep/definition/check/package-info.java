/// Checks of a posted definition that do not apply to a stored one: names of nodes and channels in
/// expressions, templates in conditions. Begin with [dev.superstep.definition.check.PostingChecks].
@NullMarked
package dev.superstep.definition.check;

import org.jspecify.annotations.NullMarked;
