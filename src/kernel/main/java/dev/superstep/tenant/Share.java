package dev.superstep.tenant;

/// Who competes for what a replica has: a caller of a tenant. Shares are those of tenants first,
/// and of a tenant's callers then.
///
/// @param tenant its name
/// @param caller "" without keys
public record Share(String tenant, String caller) {
  /// Of what is done for no run, and of runs of the default tenant that were started without a key.
  public static final Share NOBODYS = new Share(Tenant.DEFAULT.name(), "");

  /// The share of a run.
  ///
  /// @param run its id, as rows have it
  public static Share of(String run, String caller) {
    return new Share(Tenant.of(run).name(), caller);
  }

  /// A name that no other share has: names of tenants have no slash.
  public String text() {
    return tenant + '/' + caller;
  }
}
