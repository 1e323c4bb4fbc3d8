/// What the calls of the API have in common, whichever interface they came through: query
/// parameters, cursors of lists, durations and times as text, and the caller.
@NullMarked
package dev.superstep.request;

import org.jspecify.annotations.NullMarked;
