package dev.superstep.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Makes a method of a Spring bean the handler of a type of tasks. Of its parameters, one may be a
/// [WorkerTask], and the other is the input.
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface SuperstepWorker {
  /// The type of tasks.
  String value();
}
