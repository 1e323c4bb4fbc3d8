package dev.superstep.run.web;

import dev.superstep.http.QueryParameters;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Annotates a call that answers with a state, and can leave large values out of it.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@QueryParameters("values_max")
@interface ValuesMax {}
