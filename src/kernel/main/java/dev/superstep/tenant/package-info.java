/// Whose something is. Begin with [Tenant].
@NullMarked
package dev.superstep.tenant;

import org.jspecify.annotations.NullMarked;
