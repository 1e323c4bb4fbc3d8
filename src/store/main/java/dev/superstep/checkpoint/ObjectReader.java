package dev.superstep.checkpoint;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads an object of the stored form, member by member.
public final class ObjectReader {
  private final ObjectValue object;

  ObjectReader(ObjectValue object) {
    this.object = object;
  }

  public ObjectValue value() {
    return object;
  }

  /// @param what the object is, for the message
  /// @throws ServiceException if it is of a newer form than this release reads
  public ObjectReader form(String what) {
    long form = integer("v");
    if (form > StoredForm.NEWEST) {
      throw StoredForm.newer(what);
    }
    if (form < 1) {
      throw new CorruptCheckpointException("there is no stored form " + form);
    }
    return this;
  }

  public Value get(String key) {
    var found = object.get(key);
    if (found == null) {
      throw new CorruptCheckpointException("member '%s' is missing".formatted(key));
    }
    return found;
  }

  Optional<Value> find(String key) {
    return Optional.ofNullable(object.get(key));
  }

  String text(String key) {
    return text(get(key));
  }

  @Nullable String textOrNull(String key) {
    return find(key).map(ObjectReader::text).orElse(null);
  }

  long integer(String key) {
    return integer(get(key));
  }

  long integerOr(long usual, String key) {
    return find(key).map(ObjectReader::integer).orElse(usual);
  }

  int intOr(int usual, String key) {
    return Math.toIntExact(integerOr(usual, key));
  }

  boolean has(String key) {
    return object.has(key);
  }

  Instant time(String key) {
    return StoredObject.time(integer(key));
  }

  Optional<Instant> findTime(String key) {
    return find(key).map(it -> StoredObject.time(integer(it)));
  }

  ObjectReader reader(String key) {
    return StoredObject.reader(get(key));
  }

  ObjectValue objectOrEmpty(String key) {
    return find(key).map(it -> StoredObject.reader(it).value()).orElse(ObjectValue.empty());
  }

  <T> List<T> list(String key, Function<Value, T> form) {
    return switch (object.getOr(key, ListValue.empty())) {
      case ListValue list -> list.stream().map(form).toList();
      case Value other -> throw wrong("list", other);
    };
  }

  static String text(Value value) {
    return switch (value) {
      case Value.Text(var text) -> text;
      case Value other -> throw wrong("string", other);
    };
  }

  static long integer(Value value) {
    return switch (value) {
      case Value.Int(var number) -> number;
      case Value other -> throw wrong("integer", other);
    };
  }

  private static CorruptCheckpointException wrong(String expected, Value found) {
    return new CorruptCheckpointException(
        "expected %s, found %s".formatted(expected, found.typeName()));
  }
}
