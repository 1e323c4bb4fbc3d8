package dev.superstep.database;

import dev.superstep.tenant.Tenant;
import java.util.Optional;

/// Keeps lists to the rows of the tenant whose request is answered.
public final class OwnRows {
  /// The parameter of [#only].
  public static final String TENANT = "tenant";

  private OwnRows() {}

  /// An SQL condition, with the parameter `:tenant`; empty: all rows are wanted.
  ///
  /// @param id column of an id
  public static Optional<String> only(String id) {
    return Tenant.ofLists().map(it -> only(it, id));
  }

  /// The planner takes the indexes of lists of one tenant only where it sees that these have its
  /// rows; those of the default tenant are in the other ones.
  private static String only(Tenant tenant, String id) {
    return tenant.isDefault()
        ? "strpos(%s, '/') = 0".formatted(id)
        : "tenant_of(%1$s) = :tenant and strpos(%1$s, '/') > 0".formatted(id);
  }

  /// The value of the parameter; "": all rows are wanted.
  public static String tenant() {
    return Tenant.ofLists().map(Tenant::name).orElse("");
  }
}
