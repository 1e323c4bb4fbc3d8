package dev.superstep.http;

import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a call that answers with part of a list: it takes `limit` and `cursor`.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Parameter(
    in = ParameterIn.QUERY,
    name = "limit",
    description = "How many items to answer with at most",
    schema = @Schema(type = "integer", minimum = "1", maximum = "200", defaultValue = "50"))
@Parameter(
    in = ParameterIn.QUERY,
    name = "cursor",
    description = "`next_cursor` of the answer before",
    schema = @Schema(type = "string"))
public @interface Paged {}
