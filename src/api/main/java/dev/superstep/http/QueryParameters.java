package dev.superstep.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Names query parameters of a call that takes a [Query][dev.superstep.problem.Query]; those that
/// it does not name are refused. The overlay of the OpenAPI document describes them.
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface QueryParameters {
  String[] value();
}
