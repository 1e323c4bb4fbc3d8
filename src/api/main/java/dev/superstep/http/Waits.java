package dev.superstep.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a call that can wait for a run to come to rest.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@QueryParameters("wait")
public @interface Waits {}
