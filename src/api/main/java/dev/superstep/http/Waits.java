package dev.superstep.http;

import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a call that can wait for a run to come to rest.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Parameter(
    in = ParameterIn.QUERY,
    name = "wait",
    description =
        "How long to wait for the run to be at rest (`succeeded`, `failed`, `cancelled`,"
            + " `interrupted`), at most `60s`; the answer shows the run as it is then",
    example = "20s",
    schema = @Schema(type = "string"))
public @interface Waits {}
