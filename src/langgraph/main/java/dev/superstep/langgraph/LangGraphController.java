package dev.superstep.langgraph;

import dev.superstep.http.openapi.OwnErrors;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.web.bind.annotation.RestController;

/// A controller of this face. The paths of its operations are those of the LangGraph Agent Server;
/// the configured path is put before them. Its operations answer 200, ignore members and query
/// parameters that they do not know, and take null for absent.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@OnLangGraph
@OwnErrors("LangGraphError")
@RestController
public @interface LangGraphController {}
