package dev.superstep.audit;

import dev.superstep.problem.AuditedCaller;
import dev.superstep.problem.Callers;
import dev.superstep.tenant.Tenant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// Records what calls have done, in their transaction: after a crash there is both, or neither.
/// What no call does, such as retention, is not recorded. Statements that are a transaction of
/// their own have [#INSERT] as a part.
@Component
public class AuditLog {
  /// The columns of an event of a call that took effect. To be continued with their values, as
  /// `select …`: tenant, caller, credential, address, action, kind and id of the object.
  public static final String INSERT =
      """
      insert into audit_event
             (tenant, caller, credential, address, action, object_kind, object_id)
      """;

  /// Longer ids of objects, such as keys of items, are cut off.
  private static final int ID_CHARS_MAX = 500;

  private final JdbcClient jdbc;
  private final TransactionOperations transaction;
  private final ObjectProvider<Callers> callers;

  AuditLog(JdbcClient jdbc, TransactionOperations transaction, ObjectProvider<Callers> callers) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.callers = callers;
  }

  /// Records in the current transaction what the current call does there; nothing if it is off, or
  /// there is no call.
  public void record(AuditAction action, String object) {
    caller().ifPresent(it -> record(it, action, object));
  }

  /// The current caller, if what it does is recorded.
  public Optional<AuditedCaller> caller() {
    return Optional.ofNullable(callers.getIfAvailable()).flatMap(Callers::audited);
  }

  /// Performs a part of a call in a transaction of its own or the current one.
  public <T> T inTransaction(Supplier<T> effect) {
    return Objects.requireNonNull(transaction.execute(_ -> effect.get()));
  }

  /// Performs what a call does and records it, in a transaction of its own or the current one. It
  /// is not recorded if it throws.
  public <T> T recorded(AuditAction action, Supplier<T> effect, Function<T, String> object) {
    return inTransaction(() -> {
      var result = effect.get();
      record(action, object.apply(result));
      return result;
    });
  }

  /// The same for what returns nothing.
  public void recorded(AuditAction action, String object, Runnable effect) {
    transaction.executeWithoutResult(_ -> {
      effect.run();
      record(action, object);
    });
  }

  /// Records in the current transaction what a caller does there.
  public void record(AuditedCaller caller, AuditAction action, String object) {
    int _ =
        jdbc.sql(
                INSERT
                    + """
                    select :tenant, :caller::text, :credential, :address::text, :action, :kind,
                           :object
                    """)
            .param("tenant", caller.tenant().name())
            .param("caller", caller.id().orElse(null))
            .param("credential", caller.credential().text())
            .param("address", caller.address().orElse(null))
            .param("action", action.text())
            .param("kind", action.kind())
            .param("object", bounded(shown(object, caller.tenant())))
            .update();
  }

  /// The id of an object as clients of its tenant know it.
  private static String shown(String object, Tenant tenant) {
    return tenant.isDefault() || !tenant.owns(object) ? object : Tenant.shown(object);
  }

  /// The id of an object as rows have it.
  static String bounded(String object) {
    return object.length() <= ID_CHARS_MAX
        ? object
        : object.substring(
            0,
            Character.isHighSurrogate(object.charAt(ID_CHARS_MAX - 1))
                ? ID_CHARS_MAX - 1
                : ID_CHARS_MAX);
  }
}
