package dev.superstep.definition.form;

import dev.superstep.definition.Codes;
import dev.superstep.graph.Location;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/// The schema of a list. In a list that was read, null stands for an unusable item, so that the
/// remaining items keep their positions.
record ListSchema(Schema item, int itemsMax) implements Schema {

  @Override
  public Optional<Value> read(Value value, Location at) {
    if (!(value instanceof ListValue list)) {
      Schema.wrongType(at, "a list", value);
      return Optional.empty();
    }
    if (list.size() > itemsMax) {
      at.error(
          Codes.TOO_MANY, "has %d items, at most %d are allowed".formatted(list.size(), itemsMax));
      return Optional.empty();
    }
    var items = new ArrayList<Value>();
    for (int i = 0; i < list.size(); i++) {
      items.add(item.read(list.get(i), at.item(i)).orElse(Value.NULL));
    }
    return Optional.of(ListValue.of(items));
  }

  @Override
  public ObjectValue schema(Audience audience) {
    var schema = SchemaText.listOf(item.schema(audience));
    return audience == Audience.AUTHOR ? schema.plus("maxItems", itemsMax) : schema;
  }

  @Override
  public void collect(Audience audience, BiConsumer<String, ObjectValue> schemas) {
    item.collect(audience, schemas);
  }

  @Override
  public Set<String> codes() {
    var codes = new TreeSet<>(item.codes());
    codes.addAll(Set.of(Codes.WRONG_TYPE, Codes.TOO_MANY));
    return codes;
  }

  /// This list without repetitions.
  Schema distinct() {
    return readBy((value, at) -> {
      sayRepetitions(value, at);
      return read(value, at);
    });
  }

  /// This list without repetitions, for which authors may write its only item.
  Schema orItem() {
    var list = distinct();
    return readBy(
        (value, at) ->
            value instanceof ListValue
                ? list.read(value, at)
                : item.read(value, at).map(ListValue::of),
        SchemaText.anyOf(item.schema(Audience.AUTHOR), schema(Audience.AUTHOR)));
  }

  private static void sayRepetitions(Value value, Location at) {
    if (value instanceof ListValue items) {
      var seen = new HashSet<Value>();
      for (int i = 0; i < items.size(); i++) {
        if (!seen.add(items.get(i))) {
          at.item(i)
              .error(
                  Codes.DUPLICATE,
                  "%s is in the list twice".formatted(Canonical.text(items.get(i))));
        }
      }
    }
  }
}
