package dev.superstep.langgraph;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;

/// A bean that exists only while clients of the LangGraph Agent Server are answered.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnBooleanProperty(name = "superstep.langgraph.enabled", matchIfMissing = true)
public @interface OnLangGraph {}
