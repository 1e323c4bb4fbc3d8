package dev.superstep.langgraph;

import dev.superstep.graph.Pointer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Members of a request. Null is absent, and members that nothing asks for are ignored, because
/// newer clients send more; what has the wrong type is refused as 422 at its place.
public final class RequestFields {
  private final ObjectValue members;
  private final String pointer;

  private RequestFields(ObjectValue members, String pointer) {
    this.members = members;
    this.pointer = pointer;
  }

  /// @param body null: none was sent
  public static RequestFields of(@Nullable ObjectValue body) {
    return new RequestFields(body == null ? ObjectValue.empty() : body, "");
  }

  /// @param pointer of `members` in the body
  public static RequestFields of(ObjectValue members, String pointer) {
    return new RequestFields(members, pointer);
  }

  public ObjectValue members() {
    return members;
  }

  public String pointer(String name) {
    return Pointer.child(pointer, name);
  }

  public Optional<Value> value(String name) {
    return Optional.ofNullable(members.get(name)).filter(it -> !(it instanceof Value.Null));
  }

  public boolean has(String name) {
    return value(name).isPresent();
  }

  /// @param wanted what it has to be, for the error
  public <T extends Value> Optional<T> value(String name, Class<T> type, String wanted) {
    return value(name)
        .map(it -> {
          if (!type.isInstance(it)) {
            throw wrong(name, "must be " + wanted);
          }
          return type.cast(it);
        });
  }

  public Optional<String> text(String name) {
    return value(name, Value.Text.class, "a string").map(Value.Text::value);
  }

  /// A UUID, in lower case.
  public Optional<String> uuid(String name) {
    return text(name)
        .map(it -> {
          if (!isUuid(it)) {
            throw refused(name, "must be a UUID");
          }
          return it.toLowerCase(Locale.ROOT);
        });
  }

  public static boolean isUuid(String text) {
    try {
      return UUID.fromString(text).toString().equalsIgnoreCase(text);
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  public Optional<ObjectValue> object(String name) {
    return value(name, ObjectValue.class, "an object");
  }

  /// Absent: one without members.
  public ObjectValue objectOrEmpty(String name) {
    return object(name).orElse(ObjectValue.empty());
  }

  public Optional<RequestFields> fields(String name) {
    return object(name).map(it -> new RequestFields(it, pointer(name)));
  }

  public Optional<ListValue> list(String name) {
    return value(name, ListValue.class, "a list");
  }

  /// Strings; absent: none.
  public List<String> texts(String name) {
    var texts = new ArrayList<String>();
    for (var item : list(name).orElse(ListValue.empty())) {
      if (!(item instanceof Value.Text(var text))) {
        throw wrong(name, "must be a list of strings");
      }
      texts.add(text);
    }
    return texts;
  }

  public Optional<Boolean> flag(String name) {
    return value(name, Value.Bool.class, "true or false").map(Value.Bool::value);
  }

  public Optional<Long> integer(String name, long min, long max) {
    return value(name, Value.Int.class, "an integer")
        .map(it -> {
          if (it.value() < min || it.value() > max) {
            throw refused(name, "must be from %d to %d".formatted(min, max));
          }
          return it.value();
        });
  }

  /// One of these words.
  public Optional<String> oneOf(String name, List<String> words) {
    return text(name)
        .map(it -> {
          if (!words.contains(it)) {
            throw refused(name, "must be one of " + String.join(", ", words));
          }
          return it;
        });
  }

  public String required(String name) {
    return text(name)
        .orElseThrow(
            () -> ServiceException.at(pointer(name), ErrorCode.MISSING_FIELD, "is missing"));
  }

  public ServiceException refused(String name, String message) {
    return ServiceException.at(pointer(name), ErrorCode.INVALID_VALUE, message);
  }

  public ServiceException wrong(String name, String message) {
    return ServiceException.at(pointer(name), ErrorCode.WRONG_TYPE, message);
  }
}
