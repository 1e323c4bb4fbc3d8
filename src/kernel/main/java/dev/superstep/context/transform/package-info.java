/// Transforms of the values in a prompt context. Begin with
/// [dev.superstep.context.transform.Transforms].
@NullMarked
package dev.superstep.context.transform;

import org.jspecify.annotations.NullMarked;
