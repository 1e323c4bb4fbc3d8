package dev.superstep.json;

import java.io.Serializable;

/// Why a text is no supported value, and where.
///
/// Codes: `malformed_json`, `malformed_yaml`, `duplicate_key`, `number_not_representable`,
/// `nul_character`, `lone_surrogate`, `too_deep`, `too_large`, `wrong_type`, `yaml_tag`,
/// `yaml_alias`, `key_not_string`.
///
/// @param pointer JSON pointer (RFC 6901) to the value or member; the innermost known one where the
///   text is malformed
/// @param line from 1; 0 when unknown
/// @param column from 1; 0 when unknown
public record JsonProblem(String code, String pointer, String message, int line, int column)
    implements Serializable {
  static final String MALFORMED_JSON = "malformed_json";
  public static final String MALFORMED_YAML = "malformed_yaml";
  public static final String DUPLICATE_KEY = "duplicate_key";
  public static final String NUMBER = "number_not_representable";
  static final String NUL = "nul_character";
  static final String SURROGATE = "lone_surrogate";
  public static final String TOO_DEEP = "too_deep";
  public static final String TOO_LARGE = "too_large";
  static final String WRONG_TYPE = "wrong_type";
  public static final String YAML_TAG = "yaml_tag";
  public static final String YAML_ALIAS = "yaml_alias";
  public static final String KEY_NOT_STRING = "key_not_string";

  @Override
  public String toString() {
    return "%s at '%s' (line %d, column %d): %s".formatted(code, pointer, line, column, message);
  }
}
