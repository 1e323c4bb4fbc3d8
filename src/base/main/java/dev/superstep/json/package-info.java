/// JSON and YAML text from and to values, strictly, and JSON Schemas. Only this package makes
/// values of such text. Begin with [Json]; then [Yaml] and [Schemas].
@NullMarked
package dev.superstep.json;

import org.jspecify.annotations.NullMarked;
