/// Counts of what calls ask of the database.
@NullMarked
package dev.superstep.cost;

import org.jspecify.annotations.NullMarked;
