package dev.superstep.json;

/// Why a text is no supported value: the codes of its violations.
final class JsonCodes {
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

  private JsonCodes() {}
}
