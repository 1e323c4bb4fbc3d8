package dev.superstep.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A call that makes something and says in `Location` where it is.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Located {}
