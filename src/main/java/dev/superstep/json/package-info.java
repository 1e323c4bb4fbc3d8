/// Text ↔ [dev.superstep.state.Value]: the only package that knows JSON and YAML libraries.
@NullMarked
package dev.superstep.json;

import org.jspecify.annotations.NullMarked;
