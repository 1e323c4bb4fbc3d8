/// The OpenAPI document: additions that springdoc cannot derive. Begin with
/// [dev.superstep.http.openapi.ApiDocument].
@NullMarked
package dev.superstep.http.openapi;

import org.jspecify.annotations.NullMarked;
