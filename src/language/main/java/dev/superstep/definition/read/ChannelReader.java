package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.form.Reducers;
import dev.superstep.definition.type.SchemaReader;
import dev.superstep.graph.Location;
import dev.superstep.graph.Violation;
import dev.superstep.state.Channel;
import dev.superstep.state.Channel.Lifetime;
import dev.superstep.state.Channel.OnConflict;
import dev.superstep.state.Channels;
import dev.superstep.state.Initial;
import dev.superstep.state.MergeFunction;
import dev.superstep.state.ReduceException;
import dev.superstep.state.Reducer;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads the declared channels (E3, E16, E19, E21).
final class ChannelReader {
  private static final String DEFAULT_REDUCER = "last_value";

  /// Reducers under which a list never shrinks.
  private static final Set<String> GROWING = Set.of("append", "block_append", "messages", "union");

  private static final Set<String> MIRRORS = Set.of("append", "block_append");

  private final ExpressionReader expressions;
  private final SchemaReader schemas;
  private final Map<String, MergeFunction> functions;

  /// @param functions the registered merge functions
  ChannelReader(
      ExpressionReader expressions, SchemaReader schemas, Map<String, MergeFunction> functions) {
    this.expressions = expressions;
    this.schemas = schemas;
    this.functions = Map.copyOf(functions);
  }

  Channels read(ObjectValue graph, Location at) {
    var declared = graph.objectOrEmpty("channels");
    var channels = new LinkedHashMap<String, Channel>();
    for (var fields : Item.each(graph, "channels", at)) {
      channels.put(fields.name(), channel(fields));
      checkMirror(fields, declared);
    }
    return new Channels(channels, graph.isTrue("strict_channels"));
  }

  private Channel channel(Item fields) {
    var reducer = fields.findText("reducer").orElse(DEFAULT_REDUCER);
    var merge = merge(reducer, fields);
    if (fields.isTrue("append_only") && !GROWING.contains(reducer)) {
      fields.error(
          "append_only",
          Codes.NOT_APPLICABLE,
          "a channel with reducer '%s' can shrink; append_only needs append, block_append, messages or union"
              .formatted(reducer));
    }
    if (!reducer.equals(DEFAULT_REDUCER)) {
      fields.refuse(
          "on_conflict",
          Codes.NOT_APPLICABLE,
          "on_conflict is for reducer last_value only; remove it");
    }
    var check = schemas.read(fields, fields.at("schema")).orElse(ValueCheck.NONE);
    var at = fields.at("default");
    var kept = Reducers.make(reducer, merge);
    var initial =
        fields
            .find("default")
            .filter(it -> isFit(it, reducer, check, at))
            .flatMap(it -> initial(it, kept, at));
    return new Channel(
        fields.name(),
        kept,
        initial,
        fields.isTrue("append_only"),
        fields.findText("mirror_to"),
        fields.isText("on_conflict", "error") ? OnConflict.ERROR : OnConflict.LAST,
        check,
        fields
            .findText("scope")
            .map(ChannelReader::lifetime)
            .orElseGet(() -> Lifetime.of(fields.name())));
  }

  private static Lifetime lifetime(String scope) {
    return scope.equals("run") ? Lifetime.RUN : Lifetime.THREAD;
  }

  private Optional<MergeFunction> merge(String reducer, Item fields) {
    checkOwner("expression", reducer, fields);
    checkOwner("function", reducer, fields);
    return switch (reducer) {
      case "expression" ->
          fields.findText(reducer).flatMap(it -> expressions.merge(it, fields.at(reducer)));
      case "function" -> fields.findText(reducer).flatMap(it -> function(it, fields.at(reducer)));
      default -> Optional.empty();
    };
  }

  /// Keys `expression` and `function` belong to the reducers of the same name.
  private static void checkOwner(String key, String reducer, Item fields) {
    if (!reducer.equals(key)) {
      fields.refuse(
          key,
          Codes.NOT_APPLICABLE,
          "'%s' is for reducer '%s' only; set that reducer or remove the key".formatted(key, key));
    } else if (!fields.has(key)) {
      fields.error(key, Codes.MISSING_FIELD, "reducer '%s' needs '%s'".formatted(key, key));
    }
  }

  private Optional<MergeFunction> function(String name, Location at) {
    var found = Optional.ofNullable(functions.get(name));
    if (found.isEmpty()) {
      at.error(
          Codes.UNKNOWN_FUNCTION,
          "no merge function '%s' is registered%s"
              .formatted(name, Suggestion.among(functions.keySet(), name)));
    }
    return found;
  }

  private static Optional<Value> initial(Value value, Reducer reducer, Location at) {
    try {
      return Optional.of(Initial.of(reducer, value));
    } catch (ReduceException e) {
      at.error(Violation.of(e.pointer(), Codes.INVALID_DEFAULT, String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }

  /// A wrong default is reported once: further problems would follow from the first.
  private static boolean isFit(Value value, String reducer, ValueCheck check, Location at) {
    var takes = Reducers.takes(reducer);
    if (!takes.fits(value)) {
      at.error(
          Codes.INVALID_DEFAULT,
          "reducer '%s' starts from %s, not from %s"
              .formatted(reducer, takes.wanted(), value.typeName()));
      return false;
    }
    var violations = check.byPointer(value);
    violations.forEach(
        it -> at.error(Violation.of(it.pointer(), Codes.SCHEMA_VIOLATION, it.message())));
    return violations.isEmpty();
  }

  private static void checkMirror(Item channel, ObjectValue all) {
    var at = channel.at("mirror_to");
    var mirror = channel.findText("mirror_to");
    if (mirror.isEmpty()) {
      return;
    }
    if (!channel.isText("reducer", "messages")) {
      at.error(Codes.NOT_APPLICABLE, "only a channel with reducer 'messages' has a mirror");
    }
    var target = all.findObject(mirror.get());
    if (target.isEmpty()) {
      at.error(
          Codes.UNKNOWN_CHANNEL,
          "the mirror '%s' must be a declared channel%s"
              .formatted(mirror.get(), Suggestion.among(all.asMap().keySet(), mirror.get())));
    } else if (mirror.get().equals(channel.name()) || !isMirror(target.get())) {
      at.error(
          Codes.INVALID_MIRROR,
          "channel '%s' must be another one with append_only: true and reducer block_append"
              .formatted(mirror.get()));
    }
  }

  private static boolean isMirror(ObjectValue channel) {
    return channel.isTrue("append_only")
        && channel.findText("reducer").filter(MIRRORS::contains).isPresent();
  }
}
