package dev.superstep.definition;

/// The codes of problems with definitions. Clients rely on them.
public final class Codes {
  public static final String UNKNOWN_FIELD = "unknown_field";
  public static final String MISSING_FIELD = "missing_field";
  public static final String WRONG_TYPE = "wrong_type";
  public static final String INVALID_VALUE = "invalid_value";
  public static final String INVALID_NAME = "invalid_name";
  public static final String RESERVED_NAME = "reserved_name";
  public static final String INVALID_DURATION = "invalid_duration";
  public static final String OUT_OF_RANGE = "out_of_range";
  public static final String TOO_MANY = "too_many";
  public static final String DUPLICATE = "duplicate";

  /// A key that has no meaning beside the other keys of its object.
  public static final String NOT_APPLICABLE = "not_applicable";

  /// A key of the language that this version does not do yet.

  public static final String UNKNOWN_NODE_TYPE = "unknown_node_type";

  public static final String UNKNOWN_NODE = "unknown_node";

  /// A node that exists, outside of the `targets` declared for the nodes that lead to it.
  public static final String UNDECLARED_TARGET = "undeclared_target";

  public static final String UNKNOWN_CHANNEL = "unknown_channel";
  public static final String UNKNOWN_PROMPT = "unknown_prompt";
  public static final String UNKNOWN_FUNCTION = "unknown_function";
  public static final String UNKNOWN_GRAPH = "unknown_graph";
  public static final String UNKNOWN_VERSION = "unknown_version";
  public static final String ENDLESS_RECURSION = "endless_recursion";
  public static final String INVALID_EXPRESSION = "invalid_expression";
  public static final String INVALID_SCHEMA = "invalid_schema";
  public static final String SCHEMA_VIOLATION = "schema_violation";
  public static final String SECRET_IN_URL = "secret_in_url";
  public static final String INVALID_CONFIG = "invalid_config";
  public static final String INVALID_DEFAULT = "invalid_default";
  public static final String INVALID_MIRROR = "invalid_mirror";
  public static final String INVALID_EDGE = "invalid_edge";
  public static final String INVALID_JOIN = "invalid_join";

  /// Warnings.
  public static final String NODE_TYPE_UNAVAILABLE = "node_type_unavailable";

  public static final String SUMMARIZER_UNAVAILABLE = "summarizer_unavailable";
  public static final String BOTH_TAKEN = "both_taken";
  public static final String ENDLESS_CYCLE = "endless_cycle";
  public static final String EXCLUSIVE_BRANCHES = "exclusive_branches";
  public static final String STALLING_JOIN = "stalling_join";
  public static final String MISSING_ELSE = "missing_else";
  public static final String UNREACHABLE_NODE = "unreachable_node";
  public static final String UNDECLARED_TARGETS = "undeclared_targets";
  public static final String ABOVE_SERVER_LIMIT = "above_server_limit";
  public static final String RECURSIVE_GRAPH = "recursive_graph";
  public static final String NO_EFFECT = "no_effect";

  private Codes() {}
}
