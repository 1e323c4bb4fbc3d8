package dev.superstep.definition;

/// The codes of problems with definitions. Clients rely on them.
final class Codes {
  static final String UNKNOWN_FIELD = "unknown_field";
  static final String MISSING_FIELD = "missing_field";
  static final String WRONG_TYPE = "wrong_type";
  static final String INVALID_VALUE = "invalid_value";
  static final String INVALID_NAME = "invalid_name";
  static final String RESERVED_NAME = "reserved_name";
  static final String INVALID_DURATION = "invalid_duration";
  static final String OUT_OF_RANGE = "out_of_range";
  static final String TOO_MANY = "too_many";
  static final String DUPLICATE = "duplicate";

  /// A key that means nothing beside the others of its object.
  static final String NOT_APPLICABLE = "not_applicable";

  /// A key of the language that this version does not do yet.
  static final String NOT_SUPPORTED_YET = "not_supported_yet";

  static final String UNKNOWN_NODE_TYPE = "unknown_node_type";
  static final String UNKNOWN_NODE = "unknown_node";

  /// A node that exists, outside of the `targets` declared for those who lead to it.
  static final String UNDECLARED_TARGET = "undeclared_target";

  static final String UNKNOWN_CHANNEL = "unknown_channel";
  static final String UNKNOWN_FUNCTION = "unknown_function";
  static final String UNKNOWN_GRAPH = "unknown_graph";
  static final String UNKNOWN_VERSION = "unknown_version";
  static final String ENDLESS_RECURSION = "endless_recursion";
  static final String INVALID_EXPRESSION = "invalid_expression";
  static final String INVALID_SCHEMA = "invalid_schema";
  static final String SCHEMA_VIOLATION = "schema_violation";
  static final String SECRET_IN_URL = "secret_in_url";
  static final String INVALID_CONFIG = "invalid_config";
  static final String INVALID_DEFAULT = "invalid_default";
  static final String INVALID_MIRROR = "invalid_mirror";
  static final String INVALID_EDGE = "invalid_edge";
  static final String INVALID_JOIN = "invalid_join";
  static final String NO_START_EDGE = "no_start_edge";

  /// Warnings.
  static final String NODE_TYPE_UNAVAILABLE = "node_type_unavailable";

  static final String SUMMARIZER_UNAVAILABLE = "summarizer_unavailable";
  static final String UNREACHABLE_NODE = "unreachable_node";
  static final String UNDECLARED_TARGETS = "undeclared_targets";
  static final String ABOVE_SERVER_LIMIT = "above_server_limit";
  static final String RECURSIVE_GRAPH = "recursive_graph";
  static final String NO_EFFECT = "no_effect";

  private Codes() {}
}
