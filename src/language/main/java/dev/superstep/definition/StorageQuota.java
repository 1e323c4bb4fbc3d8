package dev.superstep.definition;

import java.util.function.LongSupplier;

/// Asks the run side whether the caller of this request may store more. Called inside the
/// transaction that stores it.
public interface StorageQuota {

  /// @param bytes computed only where there is a bound
  /// @return the caller, for the row that holds them
  /// @throws dev.superstep.problem.ServiceException `storage_quota_exceeded`
  String admitStored(LongSupplier bytes);
}
