/// Reports invalid settings of the service so that its operator can correct them.
@NullMarked
package dev.superstep.settings;

import org.jspecify.annotations.NullMarked;
