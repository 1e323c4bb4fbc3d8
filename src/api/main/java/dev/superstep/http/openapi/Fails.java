package dev.superstep.http.openapi;

import dev.superstep.problem.ErrorCode;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Declares how a call, or each of a controller, can fail beyond the failures of every such call,
/// for the OpenAPI document.
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Fails {
  ErrorCode[] value();
}
