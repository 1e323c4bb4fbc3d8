/// The shape of the definition language as tables, and typed reading of its objects with locations.
/// Begin with [dev.superstep.definition.form.DefinitionSchema] and
/// [dev.superstep.definition.form.Fields].
@NullMarked
package dev.superstep.definition.form;

import org.jspecify.annotations.NullMarked;
