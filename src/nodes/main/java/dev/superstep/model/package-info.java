/// Chat models by name, as the operator configures them: real ones over HTTP, and scripted ones.
/// One request, one answer, no memory, no tools executed; the loop is the engine's. Begin with
/// [Models] and [Model].
@NullMarked
package dev.superstep.model;

import org.jspecify.annotations.NullMarked;
