package dev.superstep.definition.form;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.graph.Location;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The schema of an object with known keys: one table of the definition language.
public sealed class ObjectSchema implements Schema permits RecordSchema {
  private final String schemaName;
  private final String what;
  private final Map<String, SchemaKey> keys = new LinkedHashMap<>();

  ObjectSchema(String schemaName, String what, List<SchemaKey> keys) {
    this.schemaName = schemaName;
    this.what = what;
    keys.forEach(it -> this.keys.put(it.name(), it));
  }

  /// @param schemaName names the object for API clients
  /// @param what completes "there is no key 'x' in …"
  static ObjectSchema of(String schemaName, String what, SchemaKey... keys) {
    return new ObjectSchema(schemaName, what, List.of(keys));
  }

  /// This table with some of its keys.
  ObjectSchema only(String schemaName, String what, Collection<String> names) {
    return new ObjectSchema(
        schemaName, what, keys.values().stream().filter(it -> names.contains(it.name())).toList());
  }

  /// This table with another key behind its own.
  ObjectSchema with(SchemaKey key) {
    return new ObjectSchema(
        schemaName, what, Stream.concat(keys.values().stream(), Stream.of(key)).toList());
  }

  static SchemaKey required(String name, Schema schema, String text) {
    return new SchemaKey(name, schema, Presence.REQUIRED, text, Optional.empty(), Set.of());
  }

  static SchemaKey optional(String name, Schema schema, String text) {
    return new SchemaKey(name, schema, Presence.OPTIONAL, text, Optional.empty(), Set.of());
  }

  /// A key whose empty object or list means something else than its absence.
  static SchemaKey emptyCounts(String name, Schema schema, String text) {
    return new SchemaKey(name, schema, Presence.EMPTY_COUNTS, text, Optional.empty(), Set.of());
  }

  /// A key whose value is kept as sent, null included.
  static SchemaKey nullCounts(String name, Schema schema, String text) {
    return new SchemaKey(name, schema, Presence.NULL_COUNTS, text, Optional.empty(), Set.of());
  }

  @Override
  public Optional<Value> read(Value value, Location at) {
    if (!(value instanceof ObjectValue object)) {
      Schema.wrongType(at, "an object", value);
      return Optional.empty();
    }
    var members = new LinkedHashMap<String, Value>();
    object.forEach(
        (name, member) -> readMember(name, member, at).ifPresent(it -> members.put(name, it)));
    for (var key : keys.values()) {
      if (key.presence() == Presence.REQUIRED && key.isAbsent(object.get(key.name()))) {
        at.key(key.name()).error(Codes.MISSING_FIELD, "%s needs '%s'".formatted(what, key.name()));
      }
    }
    return Optional.of(ObjectValue.of(members));
  }

  /// What authors keep for themselves and their editors.
  private static boolean isIgnored(String name) {
    return name.equals("$schema") || name.startsWith("x-");
  }

  private Optional<Value> readMember(String name, Value member, Location at) {
    var key = keys.get(name);
    if (key == null && isIgnored(name)) {
      return Optional.empty();
    }
    if (key == null) {
      at.key(name)
          .error(
              Codes.UNKNOWN_FIELD,
              "there is no key '%s' in %s%s"
                  .formatted(name, what, Suggestion.among(keys.keySet(), name)));
      return Optional.empty();
    }
    return key.isAbsent(member) ? Optional.empty() : key.valueSchema().read(member, at.key(name));
  }

  @Override
  public Set<String> codes() {
    return Set.of(Codes.WRONG_TYPE);
  }

  @Override
  public ObjectValue schema(Audience audience) {
    return switch (audience) {
      case CLIENT -> SchemaText.reference(schemaName);
      case AUTHOR -> SchemaText.definition(schemaName);
    };
  }

  /// Hands over this schema and all that it refers to by name, for API clients.
  public void collect(BiConsumer<String, ObjectValue> schemas) {
    collect(Audience.CLIENT, schemas);
  }

  @Override
  public void collect(Audience audience, BiConsumer<String, ObjectValue> schemas) {
    var properties = new LinkedHashMap<String, Value>();
    var required = ListValue.empty();
    for (var key : keys.values()) {
      properties.put(key.name(), key.schema(audience));
      key.valueSchema().collect(audience, schemas);
      if (key.presence() == Presence.REQUIRED) {
        required = required.plus(Value.of(key.name()));
      }
    }
    if (audience == Audience.AUTHOR) {
      properties.put("$schema", SchemaText.type("string"));
    }
    var schema = SchemaText.type("object").plus("properties", ObjectValue.of(properties));
    if (audience == Audience.AUTHOR) {
      schema =
          schema
              .plus("patternProperties", ObjectValue.of("^x-", ObjectValue.empty()))
              .plus("additionalProperties", Value.FALSE);
    }
    schemas.accept(schemaName, required.isEmpty() ? schema : schema.plus("required", required));
  }

  /// @param text what the key is for
  /// @param standard the value that counts where the key is absent, if it is one value
  /// @param rules the codes of what is checked beyond the schema of the value
  record SchemaKey(
      String name,
      Schema valueSchema,
      Presence presence,
      String text,
      Optional<Value> standard,
      Set<String> rules) {

    SchemaKey standard(String value) {
      return standard(Value.of(value));
    }

    SchemaKey standard(long value) {
      return standard(Value.of(value));
    }

    SchemaKey standard(Value value) {
      return new SchemaKey(name, valueSchema, presence, text, Optional.of(value), rules);
    }

    /// This key, of which the readers report these codes, too.
    SchemaKey reports(String... codes) {
      return new SchemaKey(name, valueSchema, presence, text, standard, Set.of(codes));
    }

    private ListValue codes() {
      var codes = new TreeSet<>(valueSchema.codes());
      codes.addAll(rules);
      if (presence == Presence.REQUIRED) {
        codes.add(Codes.MISSING_FIELD);
      }
      return ListValue.texts(codes.toArray(String[]::new));
    }

    private String description() {
      return standard
          .map(it ->
              "%s; default %s"
                  .formatted(text, it instanceof Value.Text(var word) ? word : Canonical.text(it)))
          .orElse(text);
    }

    /// Whether the value counts as absent.
    boolean isAbsent(@Nullable Value value) {
      return switch (presence) {
        case REQUIRED, OPTIONAL -> value == null || value instanceof Value.Null || isEmpty(value);
        case EMPTY_COUNTS -> value == null || value instanceof Value.Null;
        case NULL_COUNTS -> value == null;
      };
    }

    private static boolean isEmpty(Value value) {
      return (value instanceof ListValue list && list.isEmpty())
          || (value instanceof ObjectValue object && object.isEmpty());
    }

    private ObjectValue schema(Audience audience) {
      return audience == Audience.AUTHOR ? authored() : described();
    }

    /// A reference stands alone: some generators ignore its siblings.
    private ObjectValue described() {
      var schema = valueSchema.schema(Audience.CLIENT);
      return schema.has("$ref") ? schema : schema.plus("description", description());
    }

    /// A key that is not required may be written without a value.
    private ObjectValue authored() {
      var schema = valueSchema.schema(Audience.AUTHOR);
      var written =
          presence == Presence.REQUIRED || schema.isEmpty()
              ? schema
              : SchemaText.anyOf(schema, SchemaText.type("null"));
      var described = written.plus("description", text).plus("x-error-codes", codes());
      return standard.map(it -> described.plus("default", it)).orElse(described);
    }
  }

  enum Presence {
    REQUIRED,
    OPTIONAL,
    EMPTY_COUNTS,
    NULL_COUNTS
  }
}
