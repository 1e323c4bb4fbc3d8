package dev.superstep.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a call that creates something and returns its URL in `Location`.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Located {}
