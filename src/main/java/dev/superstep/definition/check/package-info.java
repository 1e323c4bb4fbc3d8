/// What is checked when a definition is posted and not when a stored one is loaded: names of nodes
/// and channels in expressions, templates in conditions. Begin with
/// [dev.superstep.definition.check.PostingChecks].
@NullMarked
package dev.superstep.definition.check;

import org.jspecify.annotations.NullMarked;
