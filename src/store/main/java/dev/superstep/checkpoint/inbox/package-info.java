/// Messages to runs, before and after a superstep has taken them (E49). Begin in `RunMessages`;
/// drivers read them with their other signals.
@NullMarked
package dev.superstep.checkpoint.inbox;

import org.jspecify.annotations.NullMarked;
