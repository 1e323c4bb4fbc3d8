/// JSON text from and to values, strictly. The only package that knows JSON and YAML libraries.
/// Begin with [dev.superstep.json.Json]; YAML is in `yaml`, JSON Schema in `schema`.
@NullMarked
package dev.superstep.json;

import org.jspecify.annotations.NullMarked;
