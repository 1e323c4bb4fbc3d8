package dev.superstep.definition.form;

import dev.superstep.state.MergeFunction;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// Lists the reducers that a channel may name (E16).
public final class Reducers {
  public static final List<KnownReducer> ALL =
      List.of(
          of("last_value", Takes.ANY, "The last write wins; the default."),
          of("first_value", Takes.ANY, "The first write wins, later ones are dropped."),
          of("append", Takes.LIST, "Appends one item, or all items of a list."),
          of("block_append", Takes.LIST, "Appends a list; one task's items stay together."),
          of(
              "messages",
              Takes.LIST,
              "Appends messages; one with a known id replaces that message."),
          of("merge", Takes.OBJECT, "Merges objects, one level deep; later members win."),
          of("deep_merge", Takes.OBJECT, "Merges objects at every level; later members win."),
          of("sum", Takes.NUMBER, "Adds numbers."),
          of("increment", Takes.NUMBER, "Another name of sum."),
          of("min", Takes.ANY, "Keeps the smallest value."),
          of("max", Takes.ANY, "Keeps the largest value."),
          of("union", Takes.LIST, "Keeps each value once, scalars sorted."),
          of(
              "expression",
              Takes.ANY,
              "Evaluates the channel's CEL expression over left and right."),
          of("function", Takes.ANY, "Calls the merge function that the channel names."));

  private Reducers() {}

  private static KnownReducer of(String name, Takes takes, String text) {
    return new KnownReducer(name, takes, text);
  }

  /// @param name as channels write it
  /// @param takes what a `default` must be
  public record KnownReducer(String name, Takes takes, String text) {}

  /// What values a reducer keeps.
  public enum Takes {
    ANY("any value"),
    LIST("a list"),
    OBJECT("an object"),
    NUMBER("a number");

    private final String wanted;

    Takes(String wanted) {
      this.wanted = wanted;
    }

    public String wanted() {
      return wanted;
    }

    public boolean fits(Value value) {
      return switch (this) {
        case ANY -> true;
        case LIST -> value instanceof ListValue;
        case OBJECT -> value instanceof ObjectValue;
        case NUMBER -> value instanceof Value.Int || value instanceof Value.Real;
      };
    }
  }

  public static Takes takes(String name) {
    return ALL.stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .map(KnownReducer::takes)
        .orElse(Takes.ANY);
  }

  /// @param merge for `expression` and `function`
  public static Reducer make(String name, Optional<MergeFunction> merge) {
    return switch (name) {
      case "first_value" -> new Reducer.FirstValue();
      case "append" -> new Reducer.Append();
      case "block_append" -> new Reducer.BlockAppend();
      case "messages" -> new Reducer.Messages();
      case "merge" -> new Reducer.Merge();
      case "deep_merge" -> new Reducer.DeepMerge();
      case "sum", "increment" -> new Reducer.Sum();
      case "min" -> new Reducer.Min();
      case "max" -> new Reducer.Max();
      case "union" -> new Reducer.Union();
      case "expression", "function" ->
          merge.<Reducer>map(it -> new Reducer.Custom(name, it)).orElseGet(Reducer.LastValue::new);
      default -> new Reducer.LastValue();
    };
  }
}
