package dev.superstep.node.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// What a method says, where its name alone does not tell.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Key {
  /// The key, or the type of a node; empty: the method's name in snake_case.
  String value() default "";

  Form form() default Form.VALUE;

  /// What is done with the arguments.
  enum Form {
    /// The value of the key.
    VALUE,
    /// More items of a list.
    ITEM,
    /// The name of a member of an object, and its value; without one it is empty.
    MEMBER,
    /// The id of a node, its type unless the method is named so, and what is said of it.
    NODE
  }
}
