/// Jars of the operator's own, put on the class path of the application at its start.
@NullMarked
package dev.superstep.extension;

import org.jspecify.annotations.NullMarked;
