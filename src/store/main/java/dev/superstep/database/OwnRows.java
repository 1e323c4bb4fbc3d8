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
    return Tenant.ofLists().map(_ -> "tenant_of(%s) = :tenant".formatted(id));
  }

  /// The value of the parameter; "": all rows are wanted.
  public static String tenant() {
    return Tenant.ofLists().map(Tenant::name).orElse("");
  }
}
