package dev.superstep.run.web;

import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import org.jspecify.annotations.Nullable;

/// The request to describe a thread.
@Schema(name = "ThreadChange", description = "What changes about a conversation")
record ThreadChangeBody(
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description =
                "Members replace those of the same name, null removes them; the others stay",
            example = "{\"title\": \"Refund\", \"draft\": null}")
        @Nullable ObjectValue metadata) {

  public ObjectValue read() {
    var bodyChecks = new BodyChecks();
    var changes = bodyChecks.required("/metadata", metadata, ObjectValue.empty());
    bodyChecks.throwIfAny();
    return changes;
  }
}
