package dev.superstep.json;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.ValidationLimitExceededException;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.AnnotationKeyword;
import com.networknt.schema.path.PathType;
import com.networknt.schema.serialization.NodeReader;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.ValueCheck.Mismatch;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Compiles a JSON Schema to a [ValueCheck]. Draft 2020-12 unless the schema's `$schema` names an
/// older draft.
///
/// Nothing is ever fetched: a `$ref` leads into the schema itself or the schema is invalid.
/// Patterns are RE2 (linear; no look-around). Both a schema and a check are bounded in steps and
/// depth.
public final class Schemas {
  private static final String DIALECT = SpecificationVersion.DRAFT_2020_12.getDialectId();
  private static final String DIALECTS = "://json-schema.org/";
  private static final long STEPS_MAX = 1_000_000;
  private static final int DEPTH_MAX = 1_000;
  private static final int VIOLATIONS_MAX = 100;
  private static final Pattern CLASS_NAME = Pattern.compile("\\b(\\w+\\.){2,}\\w+(:\\s*)?");
  private static final Pattern DANGLING = Pattern.compile("Reference (.*) cannot be resolved");
  private static final Pattern FETCHED =
      Pattern.compile("Schema from '(.*)' is not allowed to be loaded\\.");

  /// Words that the draft does not know are an author's own, such as [SchemaMessages] reads. The
  /// library's way would log each of them once, and never forget it.
  private static final Dialect STANDARD =
      Dialect.builder(Dialects.getDraft202012())
          .unknownKeywordFactory((word, _) -> new AnnotationKeyword(word))
          .build();

  private static final SchemaRegistry DRAFTS = newRegistry();

  private Schemas() {}

  /// Reads the schemas of schemas as all other JSON; the library's way sets Jackson up for that.
  private static final class DraftTexts implements NodeReader {
    @Override
    public JsonNode readTree(String text, InputFormat format) {
      return Nodes.of(Json.read(text));
    }

    @Override
    public JsonNode readTree(InputStream text, InputFormat format) {
      try {
        return Nodes.of(Json.read(text.readAllBytes()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static SchemaRegistry newRegistry() {
    var config =
        SchemaRegistryConfig.builder()
            .pathType(PathType.JSON_POINTER)
            .locale(Locale.ENGLISH)
            .losslessNarrowing(true)
            .regularExpressionFactory(new LinearPatterns())
            .build();
    return SchemaRegistry.withDefaultDialect(
        STANDARD,
        builder ->
            builder
                .schemaRegistryConfig(config)
                .nodeReader(new DraftTexts())
                .schemaLoader(loader ->
                    loader
                        .fetchRemoteResources(false)
                        .allow(iri -> iri.toString().contains(DIALECTS))));
  }

  /// @throws InvalidSchemaException with all that is wrong about it
  public static ValueCheck compile(Value schema) {
    requireSound(SchemaPatterns.check(schema));
    var node = Nodes.of(schema);
    if (!PlainSchema.is(schema)) {
      requireSound(withoutOtherTypes(check(draft(schema), Nodes.of(Value.NULL), node)));
    }
    return compile(node);
  }

  /// One of ours: it is not held against the schema of schemas, which takes longer to read than
  /// most definitions.
  ///
  /// @throws InvalidSchemaException if it cannot be compiled
  public static ValueCheck compileSound(Value schema) {
    return compile(Nodes.of(schema));
  }

  private static ValueCheck compile(JsonNode node) {
    try {
      // A registry of its own: schemas of different authors may have the same `$id`.
      var compiled = newRegistry().getSchema(node);
      compiled.initializeValidators();
      return value -> check(compiled, node, Nodes.of(value));
    } catch (SchemaException | IllegalArgumentException e) {
      throw invalid("", reason(e));
    } catch (StackOverflowError _) {
      throw invalid("", "the schema refers to itself without end");
    }
  }

  /// Schemas of few words, which one sees are sound. They need not be held against the schema of
  /// schemas, which takes longer to read than most definitions.
  private static final class PlainSchema {
    private static final Set<String> TYPES =
        Set.of("string", "integer", "number", "boolean", "object", "array", "null");

    private PlainSchema() {}

    static boolean is(Value schema) {
      return schema instanceof ObjectValue object
          && object.asMap().entrySet().stream().allMatch(it -> isPlain(it.getKey(), it.getValue()));
    }

    private static boolean isPlain(String word, Value value) {
      return switch (word) {
        case "type" -> value instanceof Value.Text(var type) && TYPES.contains(type);
        case "title", "description" -> value instanceof Value.Text;
        case "items" -> is(value);
        case "additionalProperties" -> value instanceof Value.Bool;
        case "properties" ->
            value instanceof ObjectValue all
                && all.asMap().values().stream().allMatch(it -> is(it));
        case "required" ->
            value instanceof ListValue list
                && list.stream().allMatch(Value.Text.class::isInstance)
                && list.stream().distinct().count() == list.size();
        default -> false;
      };
    }
  }

  private static void requireSound(List<Mismatch> violations) {
    if (!violations.isEmpty()) {
      throw new InvalidSchemaException(violations);
    }
  }

  /// `type` is a word or a list of words: a misspelt word was not meant as a list.
  private static List<Mismatch> withoutOtherTypes(List<Mismatch> found) {
    var misspelt = found.stream().filter(it -> it.message().contains(" is not one of ")).toList();
    return found.stream()
        .filter(it ->
            misspelt.contains(it)
                ? misspelt.stream()
                    .noneMatch(other -> other.pointer().startsWith(it.pointer() + "/"))
                : misspelt.stream().noneMatch(other -> other.pointer().equals(it.pointer())))
        .toList();
  }

  private static Schema draft(Value schema) {
    var dialect = dialect(schema);
    if (SpecificationVersion.fromDialectId(dialect).isEmpty()) {
      throw invalid("/$schema", "%s is no draft of JSON Schema; leave it out".formatted(dialect));
    }
    return DRAFTS.getSchema(SchemaLocation.of(dialect));
  }

  private static String dialect(Value schema) {
    return ObjectValue.orEmpty(schema).findText("$schema").orElse(DIALECT);
  }

  /// @param text of the schema
  private static List<Mismatch> check(Schema schema, JsonNode text, JsonNode value) {
    var messages = new SchemaMessages(text);
    try {
      return PatternWork.bounded(() -> schema.validate(value, Schemas::bound)).stream()
          .limit(VIOLATIONS_MAX)
          .map(it -> new Mismatch(it.getInstanceLocation().toString(), messages.sentence(it)))
          .distinct()
          .toList();
    } catch (PatternWork.ExceededException e) {
      return List.of(new Mismatch("", String.valueOf(e.getMessage())));
    } catch (ValidationLimitExceededException | StackOverflowError _) {
      return List.of(new Mismatch("", "the schema takes too long to check this value"));
    } catch (SchemaException e) {
      return List.of(new Mismatch("", reason(e)));
    }
  }

  /// The message of our own pattern factory, if it is the root cause: the library writes the class
  /// of what it wraps before the message.
  private static String reason(RuntimeException thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof IllegalArgumentException own && own.getMessage() != null) {
        return own.getMessage();
      }
    }
    return plain(CLASS_NAME.matcher(String.valueOf(thrown.getMessage())).replaceAll(""));
  }

  private static String plain(String words) {
    var dangling = DANGLING.matcher(words);
    if (dangling.matches()) {
      return "$ref leads to %s, where nothing stands; write '#/$defs/<name>' and declare it there"
          .formatted(dangling.group(1));
    }
    var fetched = FETCHED.matcher(words);
    return fetched.matches()
        ? "'%s' is not fetched; a $ref leads into the schema itself".formatted(fetched.group(1))
        : words;
  }

  private static void bound(ExecutionContext context) {
    context.executionConfig(
        config -> config.maxEvaluationSteps(STEPS_MAX).maxEvaluationDepth(DEPTH_MAX));
  }

  private static InvalidSchemaException invalid(String pointer, String message) {
    return new InvalidSchemaException(List.of(new Mismatch(pointer, message)));
  }
}
