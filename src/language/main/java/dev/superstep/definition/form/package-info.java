/// The shape of the definition language as tables, typed reading of its objects with locations, and
/// its short forms made long. Begin with [DefinitionSchema]; then [LongForm].
@NullMarked
package dev.superstep.definition.form;

import org.jspecify.annotations.NullMarked;
