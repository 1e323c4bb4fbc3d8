package dev.superstep.security;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The scopes of which a caller needs one for an operation; none for an operation that is open to
/// all. Of several that it has, the first one says what it reaches. An operation below `/v1`, or of
/// another [ApiFace], that does not declare any is refused.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Requires {
  ApiScope[] value();
}
