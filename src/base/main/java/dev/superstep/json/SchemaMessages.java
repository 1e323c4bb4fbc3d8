package dev.superstep.json;

import com.networknt.schema.Error;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// Says in sentences why a value does not match a schema: what was found, and what may stand there.
/// The library's own words speak of regex patterns and enumerations, and name no remedy.
final class SchemaMessages {
  /// A keyword beside `pattern` that says it in words; editors with the YAML language server show
  /// it, too.
  private static final String IN_WORDS = "patternErrorMessage";

  private static final int SHOWN_MAX = 200;

  /// Messages about states stand in logs.
  private static final int VALUE_MAX = 60;

  private static final Map<String, String> TYPES =
      Map.of(
          "object", "an object",
          "array", "a list",
          "string", "a string",
          "integer", "an integer",
          "number", "a number",
          "boolean", "true or false",
          "null", "null");

  private final JsonNode root;

  /// @param root the schema that was checked against
  SchemaMessages(JsonNode root) {
    this.root = root;
  }

  String sentence(Error error) {
    var keyword = error.getKeyword();
    return keyword == null ? error.getMessage() : sentence(keyword, error);
  }

  private String sentence(String keyword, Error error) {
    return switch (keyword) {
      case "type" -> "must be %s, not %s".formatted(types(error.getSchemaNode()), found(error));
      case "enum" -> "%s is not one of %s".formatted(value(error), list(error.getSchemaNode()));
      case "const" -> "must be %s, not %s".formatted(shown(error.getSchemaNode()), value(error));
      case "required" -> "'%s' is missing; add it".formatted(argument(error, 0));
      case "dependentRequired" ->
          "'%s' is missing, which '%s' needs; add it"
              .formatted(argument(error, 0), argument(error, 1));
      case "additionalProperties", "unevaluatedProperties" ->
          "there is no key '%s' here; remove it".formatted(argument(error, 0));
      case "propertyNames" -> propertyName(error);
      case "pattern" -> "%s %s".formatted(value(error), rule(error));
      case "not", "oneOf", "contains", "minContains", "maxContains", "false" ->
          ofSchemas(keyword, error);
      default -> amount(keyword, error);
    };
  }

  private String amount(String keyword, Error error) {
    var bound = shown(error.getSchemaNode());
    return switch (keyword) {
      case "minimum" -> "must be at least %s, not %s".formatted(bound, value(error));
      case "maximum" -> "must be at most %s, not %s".formatted(bound, value(error));
      case "exclusiveMinimum" -> "must be more than %s, not %s".formatted(bound, value(error));
      case "exclusiveMaximum" -> "must be less than %s, not %s".formatted(bound, value(error));
      case "multipleOf" -> "must be a multiple of %s, not %s".formatted(bound, value(error));
      case "minLength" ->
          bound.equals("1")
              ? "must not be empty"
              : "must have at least %s characters".formatted(bound);
      case "maxLength" -> "must have at most %s characters".formatted(bound);
      case "minItems" -> "must have at least %s, not %s".formatted(items(bound), size(error));
      case "maxItems" -> "must have at most %s, not %s".formatted(items(bound), size(error));
      case "minProperties" -> tooFew(bound, error);
      case "maxProperties" -> "must have at most %s %s".formatted(bound, keys(bound));
      case "uniqueItems" -> "has an item twice; keep one of them";
      case "items", "prefixItems", "additionalItems", "unevaluatedItems" ->
          "has more items than the schema allows; remove them";
      default -> error.getMessage();
    };
  }

  private static String ofSchemas(String keyword, Error error) {
    return switch (keyword) {
      case "not" -> "must not match the schema under 'not': " + shown(error.getSchemaNode());
      case "oneOf" -> "must match exactly one of the schemas under 'oneOf', and matches several";
      case "contains", "minContains" -> "has too few items that match the schema under 'contains'";
      case "maxContains" -> "has too many items that match the schema under 'contains'";
      default -> "the schema allows nothing here; remove it";
    };
  }

  private static String propertyName(Error error) {
    var key = argument(error, 0);
    var words = error.getSchemaNode().path(IN_WORDS);
    var pattern = error.getSchemaNode().path("pattern");
    if (words.isString()) {
      return "'%s' %s".formatted(key, words.stringValue());
    }
    return "'%s' is not allowed as a key%s"
        .formatted(key, pattern.isString() ? "; keys match " + shown(pattern) : "");
  }

  private String tooFew(String bound, Error error) {
    var known = new ArrayList<String>();
    around(error).path("properties").propertyNames().forEach(known::add);
    return "must have at least %s %s%s"
        .formatted(
            bound, keys(bound), known.isEmpty() ? "" : cut(": " + String.join(" or ", known)));
  }

  private String rule(Error error) {
    var words = around(error).path(IN_WORDS);
    return words.isString()
        ? words.stringValue()
        : "does not match the pattern " + shown(error.getSchemaNode());
  }

  /// The schema in which the keyword stands; a missing node if it is another's.
  private JsonNode around(Error error) {
    var keyword = JsonPointer.compile(error.getSchemaLocation().getFragment().toString());
    return root.at(keyword.head() == null ? JsonPointer.empty() : keyword.head());
  }

  /// `a string or null`.
  private static String types(JsonNode type) {
    var names = new ArrayList<String>();
    (type.isArray() ? type.values() : List.of(type))
        .forEach(it -> names.add(TYPES.getOrDefault(it.asString(), it.asString())));
    return String.join(" or ", names);
  }

  private static String found(Error error) {
    var value = error.getInstanceNode();
    return switch (value.getNodeType()) {
      case OBJECT, POJO -> "an object";
      case ARRAY -> "a list";
      case STRING, BINARY -> "a string";
      case BOOLEAN -> value.booleanValue() ? "true" : "false";
      case NULL, MISSING -> "null";
      case NUMBER -> value.isIntegralNumber() ? "an integer" : "a number";
    };
  }

  private static String list(JsonNode values) {
    var shown = new ArrayList<String>();
    values.forEach(it -> shown.add(shown(it)));
    return cut(String.join(", ", shown));
  }

  /// What was found; a string in quotes.
  private static String value(Error error) {
    var value = error.getInstanceNode();
    return value.isString()
        ? "'%s'".formatted(cut(value.stringValue(), VALUE_MAX))
        : cut(value.toString(), VALUE_MAX);
  }

  private static String shown(JsonNode value) {
    return cut(value.isString() ? value.stringValue() : value.toString());
  }

  private static String cut(String text) {
    return cut(text, SHOWN_MAX);
  }

  private static String cut(String text, int max) {
    return text.length() <= max
        ? text
        : text.substring(0, text.offsetByCodePoints(0, max / 2)) + "…";
  }

  private static String size(Error error) {
    return String.valueOf(error.getInstanceNode().size());
  }

  private static String items(String bound) {
    return bound + (bound.equals("1") ? " item" : " items");
  }

  private static String keys(String bound) {
    return bound.equals("1") ? "key" : "keys";
  }

  private static String argument(Error error, int index) {
    var all = error.getArguments();
    return all != null && index < all.length ? String.valueOf(all[index]) : "";
  }
}
