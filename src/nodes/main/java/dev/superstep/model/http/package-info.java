/// Calls of model providers: keys per request, limits of answers, streams in pieces. Begin with
/// [dev.superstep.model.http.ModelHttp].
@NullMarked
package dev.superstep.model.http;

import org.jspecify.annotations.NullMarked;
