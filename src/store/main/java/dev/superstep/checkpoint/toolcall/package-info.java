/// Calls of tools in the database: how many a run has made, and what they returned.
@NullMarked
package dev.superstep.checkpoint.toolcall;

import org.jspecify.annotations.NullMarked;
