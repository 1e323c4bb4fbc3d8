/// JSON text from and to values, strictly. Only this package makes values of JSON or YAML text.
/// Begin with [dev.superstep.json.Json]; YAML is in `yaml`, JSON Schema in `schema`.
@NullMarked
package dev.superstep.json;

import org.jspecify.annotations.NullMarked;
