package dev.superstep.idempotency;

import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a call with an `Idempotency-Key`; its method has a parameter of type [IdempotencyKey].
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Parameter(
    in = ParameterIn.HEADER,
    name = IdempotencyKey.HEADER,
    description =
        "Makes the call safe to repeat for 24 hours: the same key with the same body gives the same"
            + " resource and makes nothing",
    schema = @Schema(type = "string", maxLength = IdempotencyKey.LENGTH_MAX))
public @interface Idempotent {}
