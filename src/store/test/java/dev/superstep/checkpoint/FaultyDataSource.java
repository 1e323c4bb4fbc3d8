package dev.superstep.checkpoint;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/// A connection that breaks once, where a test wants it to.
public final class FaultyDataSource extends DelegatingDataSource {
  private final Faults faults;

  /// What the pools of one context have in common.
  static final class Faults {
    private final AtomicReference<Fault> next = new AtomicReference<>(Fault.NONE);
    private volatile boolean down;
  }

  public enum Fault {
    NONE,
    /// The next statement never reaches the database.
    BEFORE_STATEMENT,
    /// The next statement outside a transaction takes effect, but its acknowledgement is lost.
    AFTER_STATEMENT,
    /// The next COMMIT never reaches the database.
    BEFORE_COMMIT,
    /// The next COMMIT takes effect, but its acknowledgement is lost.
    AFTER_COMMIT
  }

  FaultyDataSource(DataSource target, Faults faults) {
    super(target);
    this.faults = faults;
  }

  public void breakOnce(Fault fault) {
    faults.next.set(fault);
  }

  public void down(boolean isDown) {
    faults.down = isDown;
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (faults.down) {
      throw broken();
    }
    var connection = super.getConnection();
    return wrap(
        Connection.class,
        connection,
        (method, call) ->
            switch (method) {
              case "commit" -> around(Fault.BEFORE_COMMIT, Fault.AFTER_COMMIT, call);
              case "prepareStatement" ->
                  wrap(
                      PreparedStatement.class,
                      (PreparedStatement) call.make(),
                      (name, inner) -> statement(connection, name, inner));
              default -> call.make();
            });
  }

  private Object statement(Connection connection, String name, Call call) throws Throwable {
    if (!name.startsWith("execute")) {
      return call.make();
    }
    var after = connection.getAutoCommit() ? Fault.AFTER_STATEMENT : Fault.NONE;
    return around(Fault.BEFORE_STATEMENT, after, call);
  }

  private Object around(Fault before, Fault after, Call call) throws Throwable {
    if (faults.next.compareAndSet(before, Fault.NONE)) {
      throw broken();
    }
    var result = call.make();
    if (after != Fault.NONE && faults.next.compareAndSet(after, Fault.NONE)) {
      throw broken();
    }
    return result;
  }

  private static SQLException broken() {
    return new SQLException("an I/O error occurred while sending to the backend", "08006");
  }

  private interface Call {
    Object make() throws Throwable;
  }

  private interface Around {
    Object call(String method, Call call) throws Throwable;
  }

  private static <T> T wrap(Class<T> type, T target, Around around) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) ->
                around.call(
                    method.getName(),
                    () -> {
                      try {
                        return method.invoke(target, arguments);
                      } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                      }
                    })));
  }
}
