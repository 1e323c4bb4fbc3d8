package dev.superstep.run.trigger;

import dev.superstep.security.ActingCallers.LastingCaller;
import dev.superstep.security.ActingCallers.LastingReach;
import dev.superstep.tenant.Tenant;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/// The columns of tables that say for whom runs start.
final class CallerColumns {
  private CallerColumns() {}

  /// With the parameters `caller`, `credential`, `reachAll` and `reachOwn`.
  static StatementSpec with(StatementSpec statement, LastingCaller caller) {
    return statement
        .param("caller", caller.id())
        .param("credential", caller.credential().toLowerCase(Locale.ROOT))
        .param("reachAll", caller.reach().map(it -> texts(it.all())).orElse(null), Types.ARRAY)
        .param("reachOwn", caller.reach().map(it -> texts(it.own())).orElse(null), Types.ARRAY);
  }

  static LastingCaller caller(ResultSet row, Tenant tenant) throws SQLException {
    var all = row.getArray("reach_all");
    var own = row.getArray("reach_own");
    return new LastingCaller(
        tenant,
        row.getString("caller"),
        row.getString("credential").toUpperCase(Locale.ROOT),
        all == null || own == null
            ? Optional.empty()
            : Optional.of(new LastingReach(texts(all), texts(own))));
  }

  private static List<String> texts(Array array) throws SQLException {
    return List.of((String[]) array.getArray());
  }

  private static String[] texts(List<String> texts) {
    return texts.toArray(String[]::new);
  }
}
