package dev.superstep.run.web;

import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Annotates a call whose answer is a stream of events, with the parameters that select them.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Parameter(
    in = ParameterIn.QUERY,
    name = "follow",
    description = "Keep the stream open over interrupts and failures",
    schema = @Schema(type = "boolean", defaultValue = "false"))
@Parameter(
    in = ParameterIn.QUERY,
    name = "type",
    description = "Only events of this type; may be repeated",
    array = @ArraySchema(schema = @Schema(type = "string", example = "message.delta")))
@Parameter(
    in = ParameterIn.QUERY,
    name = "node",
    description = "Only events of this node, and those that belong to none; may be repeated",
    array = @ArraySchema(schema = @Schema(type = "string", example = "research")))
@Parameter(
    in = ParameterIn.QUERY,
    name = "with",
    description =
        "What each `superstep.committed` brings along, so that its checkpoint need not be asked"
            + " for: `changes`, `state`, or both with a comma",
    schema = @Schema(type = "string", example = "changes,state"))
@interface Streams {}
