/// Chat models by name, as the operator configures them. The only package that knows Spring AI's
/// `ChatModel`: one request, one answer, no memory, no advisors, no tools executed; the loop is the
/// engine's. Begin with [Models] and [Model].
@NullMarked
package dev.superstep.model;

import org.jspecify.annotations.NullMarked;
