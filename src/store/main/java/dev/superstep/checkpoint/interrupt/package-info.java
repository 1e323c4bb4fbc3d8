/// Questions as rows: stored with the commit that asks, closed by answer or expiry. Begin with
/// [dev.superstep.checkpoint.interrupt.Interrupts].
@NullMarked
package dev.superstep.checkpoint.interrupt;

import org.jspecify.annotations.NullMarked;
