package dev.superstep.agent;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/// All that a database holds, as text.
record Tables(JdbcTemplate database) {

  /// `table <table>.<column>` → all its values.
  Map<String, String> columns() {
    var columns = new TreeMap<String, String>();
    var names =
        database.queryForList(
            "select table_name from information_schema.tables where table_schema = current_schema()"
                + " and table_type = 'BASE TABLE'",
            String.class);
    for (var table : names) {
      database.query(
          "select * from \"%s\"".formatted(table),
          row -> {
            var meta = row.getMetaData();
            for (int i = 1; i <= meta.getColumnCount(); i++) {
              var name = "table %s.%s".formatted(table, meta.getColumnName(i));
              columns.merge(name, text(row.getObject(i)), (a, b) -> a + "\n" + b);
            }
          });
    }
    return columns;
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case byte[] bytes -> new String(bytes, StandardCharsets.ISO_8859_1) + unpacked(bytes);
      case Object other -> other.toString();
    };
  }

  /// Snapshots are packed.
  private static String unpacked(byte[] bytes) {
    try (var in = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException _) {
      return "";
    }
  }
}
