package dev.superstep.json;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/// Reads and writes values as YAML 1.2 with the core schema: `yes` and `on` are strings, tags are
/// refused, aliases are few and expanded, keys are strings and unique; numbers and strings as in
/// [Json].
public final class Yaml {
  private Yaml() {}

  /// Reads exactly one document; an empty one is null.
  ///
  /// @throws JsonException with every problem of the text up to the first that hides the rest
  public static Value read(String text) {
    return read(text, JsonLimits.DEFAULT);
  }

  public static Value read(String text, JsonLimits limits) {
    if (text.length() > limits.charsMax()) {
      throw new JsonProblems(limits).fatal(Json.tooLarge(limits));
    }
    return new YamlReader(text, new JsonProblems(limits)).read();
  }

  /// Reads UTF-8.
  public static Value read(byte[] utf8) {
    return read(Json.decode(utf8, JsonCodes.MALFORMED_YAML));
  }

  /// Block style, keys in canonical order; reads back as the same value.
  public static String write(Value value) {
    var settings =
        DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setSchema(new CoreSchema())
            .setDereferenceAliases(true)
            .setSplitLines(false)
            .build();
    return new Dump(settings).dumpToString(plain(value));
  }

  private static @Nullable Object plain(Value value) {
    return switch (value) {
      case Value.Null _ -> null;
      case Value.Bool(var flag) -> flag;
      case Value.Int(var number) -> number;
      case Value.Real(var number) -> number;
      case Value.Text(var text) -> text;
      case ListValue list -> {
        var items = new ArrayList<@Nullable Object>();
        list.forEach(it -> items.add(plain(it)));
        yield items;
      }
      case ObjectValue object -> {
        var members = new LinkedHashMap<String, @Nullable Object>();
        object.forEach((key, member) -> members.put(key, plain(member)));
        yield members;
      }
    };
  }
}
