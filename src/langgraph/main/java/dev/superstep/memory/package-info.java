/// What agents remember across threads: items, JSON objects under a namespace and a key, which may
/// expire. Begin with [Memory].
@NullMarked
package dev.superstep.memory;

import org.jspecify.annotations.NullMarked;
