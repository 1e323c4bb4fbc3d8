package dev.superstep.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a call that answers with part of a list: it takes `limit` and `cursor`.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@QueryParameters({"limit", "cursor"})
public @interface Paged {}
