/// Conventions that every call of the REST API shares: query parameters, lists, waiting, body
/// limits, strict JSON. Begin with [dev.superstep.http.HttpConventions]; the size of a body is
/// enforced in [dev.superstep.http.BodyReader].
@NullMarked
package dev.superstep.http;

import org.jspecify.annotations.NullMarked;
