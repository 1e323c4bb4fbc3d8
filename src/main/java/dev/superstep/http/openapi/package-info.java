/// The OpenAPI document: what springdoc cannot know. Begin with
/// [dev.superstep.http.openapi.ApiDocument].
@NullMarked
package dev.superstep.http.openapi;

import org.jspecify.annotations.NullMarked;
