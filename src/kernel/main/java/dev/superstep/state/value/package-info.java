/// JSON values: immutable, persistent, with canonical form and hashes. The ground floor of
/// everything. Begin with [dev.superstep.state.value.Value].
@NullMarked
package dev.superstep.state.value;

import org.jspecify.annotations.NullMarked;
