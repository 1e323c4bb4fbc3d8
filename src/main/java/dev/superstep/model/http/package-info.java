/// Connections to model providers: keys per request, limits of answers, cutting calls off. Begin
/// with [dev.superstep.model.http.ModelHttpTransport].
@NullMarked
package dev.superstep.model.http;

import org.jspecify.annotations.NullMarked;
