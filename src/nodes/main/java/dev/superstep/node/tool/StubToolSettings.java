package dev.superstep.node.tool;

import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.json.Schemas;
import dev.superstep.problem.Setting;
import dev.superstep.state.value.ObjectValue;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Settings of scripted tools, for examples and tests.
///
/// @param stub name → tool
@ConfigurationProperties("superstep.tools")
record StubToolSettings(@DefaultValue Map<String, StubEntry> stub) {
  StubToolSettings {
    stub = Map.copyOf(stub);
    stub.forEach((name, tool) -> {
      if (!name.matches("[A-Za-z0-9_-]{1,64}") || !tool.hasSchema()) {
        throw new Setting("superstep.tools.stub." + name)
            .invalid("needs a name of letters, digits, _ and -, and a JSON Schema as parameters");
      }
    });
  }

  /// @param description for the model
  /// @param parameters JSON Schema of the arguments, as JSON text
  /// @param answer `{name}` stands for that argument
  record StubEntry(
      @DefaultValue("") String description,
      @DefaultValue("{\"type\":\"object\"}") String parameters,
      @DefaultValue("") String answer) {

    private boolean hasSchema() {
      try {
        return Json.read(parameters) instanceof ObjectValue schema
            && Schemas.compile(schema) != null;
      } catch (JsonException | InvalidSchemaException _) {
        return false;
      }
    }
  }
}
