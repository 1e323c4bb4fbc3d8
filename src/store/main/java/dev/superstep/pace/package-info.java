/// The limits of models, kept over all replicas.
@NullMarked
package dev.superstep.pace;

import org.jspecify.annotations.NullMarked;
