/// Runs and their children: locks of a tree in one order, links, limits of nesting. Begin with
/// [dev.superstep.run.family.RunTreeLocks].
@NullMarked
package dev.superstep.run.family;

import org.jspecify.annotations.NullMarked;
