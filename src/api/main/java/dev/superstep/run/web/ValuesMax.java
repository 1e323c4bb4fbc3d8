package dev.superstep.run.web;

import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Annotates a call that answers with a state, and can leave large values out of it.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Parameter(
    in = ParameterIn.QUERY,
    name = "values_max",
    description =
        "Leaves values of channels out of `state` that take more bytes as JSON; `omitted` says"
            + " which, and `GET /v1/runs/{id}/state?channel=` reads one",
    schema = @Schema(type = "integer", minimum = "0", maximum = "16000000"))
@interface ValuesMax {}
