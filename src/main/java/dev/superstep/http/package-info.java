/// Conventions that every call of the REST API shares: query parameters, lists, waiting, body
/// limits, strict JSON. Begin with [dev.superstep.http.HttpConventions].
@NullMarked
package dev.superstep.http;

import org.jspecify.annotations.NullMarked;
