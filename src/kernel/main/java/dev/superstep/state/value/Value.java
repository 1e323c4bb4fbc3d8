package dev.superstep.state.value;

/// A JSON value: immutable, compared by content, free to share between threads.
///
/// Numbers are int64 or binary64 (E46); `1` and `1.0` are different values. Java's `null` never
/// stands for a value: JSON null is [Null].
// No default methods here, so that initialising a subclass never initialises this interface.
@SuppressWarnings("ClassInitializationDeadlock")
public sealed interface Value
    permits Value.Null, Value.Bool, Value.Int, Value.Real, Value.Text, ListValue, ObjectValue {

  Null NULL = new Null();
  Bool TRUE = new Bool(true);
  Bool FALSE = new Bool(false);

  /// The JSON name of this value's type: null, boolean, integer, number, string, array, object. Not
  /// a default method: an interface with one is initialised with its implementations, and these
  /// constants would make that a deadlock between threads.
  String typeName();

  record Null() implements Value {
    @Override
    public String typeName() {
      return "null";
    }
  }

  record Bool(boolean value) implements Value {
    @Override
    public String typeName() {
      return "boolean";
    }
  }

  record Int(long value) implements Value {
    @Override
    public String typeName() {
      return "integer";
    }
  }

  /// A finite double; NaN and the infinities are no JSON values.
  record Real(double value) implements Value {
    public Real {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException("not a JSON number: " + value);
      }
    }

    @Override
    public String typeName() {
      return "number";
    }
  }

  record Text(String value) implements Value {
    @Override
    public String typeName() {
      return "string";
    }
  }

  static Value of(boolean value) {
    return value ? TRUE : FALSE;
  }

  static Value of(long value) {
    return new Int(value);
  }

  static Value of(double value) {
    return new Real(value);
  }

  static Value of(String value) {
    return new Text(value);
  }
}
