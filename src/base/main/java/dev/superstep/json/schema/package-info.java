/// JSON Schema as checks of values, in time linear in the text. Begin with
/// [dev.superstep.json.schema.Schemas].
@NullMarked
package dev.superstep.json.schema;

import org.jspecify.annotations.NullMarked;
