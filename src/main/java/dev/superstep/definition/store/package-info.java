/// Graph versions as rows. Begin with [dev.superstep.definition.store.GraphStore].
@NullMarked
package dev.superstep.definition.store;

import org.jspecify.annotations.NullMarked;
