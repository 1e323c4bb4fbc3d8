/// Posted definitions: finding, compiling and keeping their versions. Begin with [Definitions].
@NullMarked
package dev.superstep.definition.store;

import org.jspecify.annotations.NullMarked;
