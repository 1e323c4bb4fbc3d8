package dev.superstep.langgraph;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;

/// `metadata` of a message, which LangChain spreads over `response_metadata`, `usage_metadata` and
/// `additional_kwargs`.
///
/// `model` and `finish_reason` are members of `response_metadata`; what else that had is kept under
/// `response_metadata`. `usage` is `usage_metadata`, whose `input_token_details` have what caches
/// have had of the input. All other members are `additional_kwargs`. A member of those that would
/// be taken for one of the first is kept under `additional_kwargs`.
final class WireMetadata {
  private static final String MODEL = "model";
  private static final String FINISH = "finish_reason";
  private static final String USAGE = "usage";
  private static final String RESPONSE = "response_metadata";
  private static final String ADDITIONAL = "additional_kwargs";
  private static final String ARTIFACT = "artifact";
  static final String INVALID_CALLS = "invalid_tool_calls";
  private static final String INPUT = "input_tokens";
  private static final String OUTPUT = "output_tokens";
  private static final String TOTAL = "total_tokens";
  private static final String CACHED = "cached_input_tokens";
  private static final String WRITTEN = "cache_write_tokens";
  private static final String DETAILS = "input_token_details";
  private static final String READ = "cache_read";
  private static final String CREATION = "cache_creation";

  private WireMetadata() {}

  static ObjectValue response(ObjectValue metadata) {
    var response = metadata.objectOrEmpty(RESPONSE);
    response = withAny(response, "model_name", metadata, MODEL);
    return withAny(response, FINISH, metadata, FINISH);
  }

  private static ObjectValue withAny(ObjectValue to, String name, ObjectValue from, String member) {
    var value = from.get(member);
    return value == null ? to : to.plus(name, value);
  }

  static Optional<ObjectValue> usage(ObjectValue metadata) {
    if (!(metadata.get(USAGE) instanceof ObjectValue usage) || !isUsage(usage)) {
      return Optional.empty();
    }
    var detailed = detailed(usage);
    return Optional.of(
        usage.has(TOTAL)
            ? detailed
            : detailed.plus(TOTAL, number(usage, INPUT) + number(usage, OUTPUT)));
  }

  private static ObjectValue detailed(ObjectValue usage) {
    if (!usage.has(CACHED) || !usage.has(WRITTEN)) {
      return usage;
    }
    var details =
        ObjectValue.of(READ, number(usage, CACHED)).plus(CREATION, number(usage, WRITTEN));
    return usage.minus(CACHED).minus(WRITTEN).plus(DETAILS, details);
  }

  /// Details of other kinds stay as they are.
  private static ObjectValue plain(ObjectValue usage) {
    var details = usage.objectOrEmpty(DETAILS);
    return details.size() == 2
            && details.findWhole(READ).isPresent()
            && details.findWhole(CREATION).isPresent()
        ? usage
            .minus(DETAILS)
            .plus(CACHED, number(details, READ))
            .plus(WRITTEN, number(details, CREATION))
        : usage;
  }

  private static boolean isUsage(Value value) {
    return value instanceof ObjectValue usage
        && usage.get(INPUT) instanceof Value.Int
        && usage.get(OUTPUT) instanceof Value.Int;
  }

  private static long number(ObjectValue usage, String member) {
    return usage.findWhole(member).orElse(0L);
  }

  static ObjectValue additional(ObjectValue metadata, String type) {
    var additional = metadata.objectOrEmpty(ADDITIONAL);
    for (var member : metadata.asMap().entrySet()) {
      if (!isOwn(member.getKey(), member.getValue(), type)) {
        additional = additional.plus(member.getKey(), member.getValue());
      }
    }
    return additional;
  }

  /// Whether a member of `metadata` stands elsewhere than in `additional_kwargs`.
  private static boolean isOwn(String member, Value value, String type) {
    return switch (member) {
      case MODEL, FINISH -> true;
      case USAGE -> type.equals("ai") && isUsage(value);
      case INVALID_CALLS -> type.equals("ai");
      case RESPONSE, ADDITIONAL -> value instanceof ObjectValue;
      case ARTIFACT -> type.equals("tool");
      default -> false;
    };
  }

  /// The `metadata` of a message that came with these.
  static ObjectValue read(ObjectValue message, String type) {
    var metadata = ObjectValue.empty();
    var displaced = ObjectValue.empty();
    for (var member : message.objectOrEmpty(ADDITIONAL).asMap().entrySet()) {
      if (isOwn(member.getKey(), member.getValue(), type)) {
        displaced = displaced.plus(member.getKey(), member.getValue());
      } else {
        metadata = metadata.plus(member.getKey(), member.getValue());
      }
    }
    if (!displaced.isEmpty()) {
      metadata = metadata.plus(ADDITIONAL, displaced);
    }
    metadata = withResponse(metadata, message);
    if (type.equals("ai") && message.get("usage_metadata") instanceof ObjectValue usage) {
      metadata = metadata.plus(USAGE, plain(withoutSum(usage)));
    }
    if (type.equals("tool") && message.has(ARTIFACT)) {
      metadata = metadata.plus(ARTIFACT, message.getOr(ARTIFACT, Value.NULL));
    }
    return metadata;
  }

  private static ObjectValue withResponse(ObjectValue metadata, ObjectValue message) {
    if (!(message.get(RESPONSE) instanceof ObjectValue response)) {
      return metadata;
    }
    var rest = response.minus("model_name").minus(FINISH);
    var with = withAny(metadata, MODEL, response, "model_name");
    with = withAny(with, FINISH, response, FINISH);
    return rest.isEmpty() ? with : with.plus(RESPONSE, rest);
  }

  /// Without the total that can be added up.
  private static ObjectValue withoutSum(ObjectValue usage) {
    return isUsage(usage)
            && Value.of(number(usage, INPUT) + number(usage, OUTPUT)).equals(usage.get(TOTAL))
        ? usage.minus(TOTAL)
        : usage;
  }
}
