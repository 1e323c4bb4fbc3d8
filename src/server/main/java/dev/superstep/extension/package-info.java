/// Jars of the operator's own, which join the application at its start. Begin with
/// [ExtensionFolder].
@NullMarked
package dev.superstep.extension;

import org.jspecify.annotations.NullMarked;
