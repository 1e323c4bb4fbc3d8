/// Changes that nodes ask for in what they see. Begin with
/// [dev.superstep.context.transform.Transforms].
@NullMarked
package dev.superstep.context.transform;

import org.jspecify.annotations.NullMarked;
