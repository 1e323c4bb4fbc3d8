/// Graph definitions: reading and checking them, their stored versions, what node types there are.
@NullMarked
package dev.superstep.definition;

import org.jspecify.annotations.NullMarked;
