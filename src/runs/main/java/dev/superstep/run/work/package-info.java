/// What workers call: claims, heartbeats and outcomes of tasks (E52).
@NullMarked
package dev.superstep.run.work;

import org.jspecify.annotations.NullMarked;
