package dev.superstep.langgraph.run;

import static java.util.Locale.ROOT;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads members of a JSON object; null is as good as absent.
///
/// @param pointer of the object in the request
record LenientObject(ObjectValue value, String pointer) {
  private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

  /// @throws ServiceException `wrong_type` if it is neither an object nor null
  LenientObject(Value value, String pointer) {
    this(object(value, pointer), pointer);
  }

  private static ObjectValue object(Value value, String pointer) {
    return switch (value) {
      case ObjectValue object -> object;
      case Value.Null _ -> ObjectValue.empty();
      default -> throw wrong(pointer, "an object");
    };
  }

  private static ServiceException wrong(String pointer, String type) {
    return ServiceException.at(pointer, ErrorCode.WRONG_TYPE, "must be " + type);
  }

  /// With its members in snake_case: clients send some in camelCase.
  LenientObject snakeCased() {
    var members = ObjectValue.builder();
    value.forEach((key, member) ->
        members.put(
            CAPITAL.matcher(key).replaceAll(it -> "_" + it.group().toLowerCase(ROOT)), member));
    return new LenientObject(members.build(), pointer);
  }

  Optional<Value> get(String member) {
    var found = value.get(member);
    return found == null || found instanceof Value.Null ? Optional.empty() : Optional.of(found);
  }

  private String at(String member) {
    return pointer + "/" + member;
  }

  ObjectValue object(String member) {
    return object(value.getOr(member, Value.NULL), at(member));
  }

  Optional<String> text(String member) {
    return get(member)
        .map(it -> {
          if (it instanceof Value.Text(var text)) {
            return text;
          }
          throw wrong(at(member), "a text");
        });
  }

  Optional<Boolean> flag(String member) {
    return get(member)
        .map(it -> {
          if (it instanceof Value.Bool(var flag)) {
            return flag;
          }
          throw wrong(at(member), "true or false");
        });
  }

  /// A whole number from 1 on.
  Optional<Integer> integer(String member, int max) {
    return get(member)
        .map(it -> {
          if (it instanceof Value.Int(var number) && number > 0 && number <= max) {
            return (int) number;
          }
          throw wrong(at(member), "a whole number from 1 to " + max);
        });
  }

  /// A number, rounded up.
  Optional<Integer> number(String member, int max) {
    return get(member)
        .map(it -> {
          double number =
              switch (it) {
                case Value.Int(var whole) -> whole;
                case Value.Real(var real) -> real;
                default -> -1;
              };
          if (number >= 0 && number <= max) {
            return (int) Math.ceil(number);
          }
          throw wrong(at(member), "a number from 0 to " + max);
        });
  }

  /// A text or a list of texts.
  List<String> texts(String member) {
    var found = get(member).orElse(ListValue.empty());
    var items = found instanceof ListValue list ? list.asList() : List.of(found);
    var texts = new ArrayList<String>();
    for (var item : items) {
      if (!(item instanceof Value.Text(var text))) {
        throw wrong(at(member), "a text or a list of texts");
      }
      texts.add(text);
    }
    return texts;
  }
}
