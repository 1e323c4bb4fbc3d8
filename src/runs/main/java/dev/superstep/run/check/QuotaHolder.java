package dev.superstep.run.check;

import dev.superstep.tenant.Share;
import java.util.List;

/// Whose a bound is: an API key's, and that of the tenant whose keys share it.
public sealed interface QuotaHolder {

  /// @param id of the key or subject; no two tenants have one in common
  record CallerHolder(String id) implements QuotaHolder {}

  record TenantHolder(String name) implements QuotaHolder {}

  /// To whom something of this share counts.
  static List<QuotaHolder> of(Share share) {
    return List.of(new CallerHolder(share.caller()), new TenantHolder(share.tenant()));
  }

  /// Whether what this share has counts to it.
  default boolean has(Share share) {
    return switch (this) {
      case CallerHolder(var id) -> id.equals(share.caller());
      case TenantHolder(var name) -> name.equals(share.tenant());
    };
  }

  /// As messages name it, at the beginning of a sentence or within one.
  default String noun() {
    return switch (this) {
      case CallerHolder _ -> "the API key";
      case TenantHolder _ -> "the tenant";
    };
  }
}
