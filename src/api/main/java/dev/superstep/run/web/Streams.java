package dev.superstep.run.web;

import dev.superstep.http.QueryParameters;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Annotates a call whose answer is a stream of events, with the parameters that select them.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@QueryParameters({"follow", "type", "node", "with"})
@interface Streams {}
