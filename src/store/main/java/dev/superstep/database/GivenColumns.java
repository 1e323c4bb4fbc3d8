package dev.superstep.database;

import java.lang.reflect.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The columns of rows that a statement is given as parameters: an array for each column where it
/// is given many rows, a value for each where it is given one. A null has the type of its column:
/// with another type of a parameter the server would parse the statement anew.
///
/// @param <R> what a row is made of
public record GivenColumns<R>(List<Column<R>> columns) {
  public GivenColumns {
    columns = List.copyOf(columns);
  }

  /// @param value in Java's type of `type`, or null
  public record Column<R>(String name, SqlType type, Function<R, @Nullable Object> value) {}

  /// SQL types, and those of Java in which they are bound.
  public enum SqlType {
    TEXT("text", "", String.class, Types.VARCHAR),
    SMALLINT("smallint", "", Short.class, Types.SMALLINT),
    INTEGER("integer", "", Integer.class, Types.INTEGER),
    BIGINT("bigint", "", Long.class, Types.BIGINT),
    BOOLEAN("boolean", "", Boolean.class, Types.BOOLEAN),
    BYTES("bytea", "", byte[].class, Types.BINARY),
    /// As ISO 8601 has it.
    TIME("timestamptz", "::timestamptz[]", String.class, Types.VARCHAR);

    private final String sql;
    private final String arrayCast;
    private final Class<?> java;
    private final int jdbc;

    SqlType(String sql, String arrayCast, Class<?> java, int jdbc) {
      this.sql = sql;
      this.arrayCast = arrayCast;
      this.java = java;
      this.jdbc = jdbc;
    }
  }

  /// `a, b, c`
  public String names() {
    return columns.stream().map(Column::name).collect(Collectors.joining(", "));
  }

  /// Parameters for many rows, as `unnest` takes them.
  public String arrays() {
    return columns.stream().map(it -> "?" + it.type.arrayCast).collect(Collectors.joining(", "));
  }

  /// Parameters for one row, as `values` takes them.
  public String scalars() {
    return columns.stream().map(it -> "?::" + it.type.sql).collect(Collectors.joining(", "));
  }

  /// Sets the parameters of [#arrays].
  ///
  /// @param first index of the first parameter
  /// @return index of the parameter behind the last
  public int bind(PreparedStatement statement, int first, List<R> rows) throws SQLException {
    int at = first;
    for (var column : columns) {
      var array = (@Nullable Object[]) Array.newInstance(column.type.java, rows.size());
      for (int i = 0; i < array.length; i++) {
        array[i] = column.value.apply(rows.get(i));
      }
      statement.setObject(at++, array);
    }
    return at;
  }

  /// Sets the parameters of [#scalars].
  ///
  /// @param first index of the first parameter
  /// @return index of the parameter behind the last
  public int bindOne(PreparedStatement statement, int first, R row) throws SQLException {
    int at = first;
    for (var column : columns) {
      statement.setObject(at++, column.value.apply(row), column.type.jdbc);
    }
    return at;
  }
}
