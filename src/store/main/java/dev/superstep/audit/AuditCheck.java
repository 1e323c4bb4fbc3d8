package dev.superstep.audit;

import dev.superstep.audit.AuditEvents.EventPosition;
import java.util.List;
import java.util.Optional;

/// What came of verifying a part of the audit log of a tenant.
///
/// @param events that are as they were sealed
/// @param unsealed events that are not sealed yet, at most [#UNSEALED_MAX]
/// @param broken at most [#BROKEN_MAX]
/// @param head of the last seal, if this is the last part
/// @param next the number of the seal behind which the next part begins
public record AuditCheck(
    int events,
    int unsealed,
    List<BrokenAudit> broken,
    Optional<SealHead> head,
    Optional<Long> next) {
  /// Named in one part.
  public static final int BROKEN_MAX = 100;

  static final int UNSEALED_MAX = 10_000;

  public AuditCheck {
    broken = List.copyOf(broken);
  }

  /// What is wrong with an event or a seal.
  public enum AuditDamage {
    CHANGED,
    MISSING,
    ADDED
  }

  /// What is not as it was sealed.
  public sealed interface BrokenAudit {
    AuditDamage damage();

    /// @param position as it was sealed; of one that was added, as it is
    record BrokenEvent(AuditDamage damage, EventPosition position) implements BrokenAudit {}

    record BrokenSeal(AuditDamage damage, long number) implements BrokenAudit {}

    /// A head that was kept elsewhere is not that of the seal.
    record BrokenHead(AuditDamage damage, long number) implements BrokenAudit {}
  }

  /// The hash to which a seal and all before it are linked.
  ///
  /// @param hash lower-case hexadecimal
  public record SealHead(long number, String hash) {}
}
