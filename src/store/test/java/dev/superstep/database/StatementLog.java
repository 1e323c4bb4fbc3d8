package dev.superstep.database;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/// Logs what all pools of a context send to the database, in order: `@Import(StatementLog.class)`.
/// A statement outside of a transaction is a transaction, and a round trip; one that begins a
/// transaction carries that along.
@TestConfiguration(proxyBeanMethods = false)
public class StatementLog {
  private static final String OURS = "dev.superstep.";

  private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();

  /// A statement, or the end of a transaction: `commit`, `rollback`.
  ///
  /// @param parameters in the order in which they were set
  /// @param callers methods of this project that led to it, the innermost first
  public record Sent(String sql, List<String> parameters, String thread, List<String> callers) {
    public Sent {
      parameters = List.copyOf(parameters);
      callers = List.copyOf(callers);
    }

    /// Whether it is the end of a transaction of several statements.
    public boolean isEnd() {
      return sql.equals("commit") || sql.equals("rollback");
    }

    /// Whether a parameter names or contains this.
    public boolean mentions(String id) {
      return parameters.stream().anyMatch(it -> it.contains(id));
    }

    @Override
    public String toString() {
      return "%s%n    by %s%n    on %s"
          .formatted(
              sql.strip().replaceAll("\\s+", " "),
              callers.stream().limit(5).collect(Collectors.joining(" < ")),
              thread);
    }
  }

  @Bean
  static BeanPostProcessor statementLogs(ObjectProvider<StatementLog> log) {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof DataSource pool ? new LoggedDataSource(pool, log) : bean;
      }
    };
  }

  /// Forgets what was sent before.
  public void clear() {
    sent.clear();
  }

  public List<Sent> sent() {
    return List.copyOf(sent);
  }

  private void add(String sql, List<String> parameters) {
    var callers =
        StackWalker.getInstance()
            .walk(frames ->
                frames
                    .filter(it -> it.getClassName().startsWith(OURS))
                    .filter(it -> !it.getClassName().contains("StatementLog"))
                    .map(it ->
                        it.getClassName().substring(it.getClassName().lastIndexOf('.') + 1)
                            + "."
                            + it.getMethodName())
                    .toList());
    sent.add(new Sent(sql, parameters, Thread.currentThread().getName(), callers));
  }

  private static final class LoggedDataSource extends DelegatingDataSource {
    private final ObjectProvider<StatementLog> log;

    LoggedDataSource(DataSource target, ObjectProvider<StatementLog> log) {
      super(target);
      this.log = log;
    }

    @Override
    public Connection getConnection() throws SQLException {
      var connection = super.getConnection();
      return wrap(
          Connection.class,
          connection,
          (method, arguments, call) ->
              switch (method) {
                case "commit", "rollback" -> {
                  log.getObject().add(method, List.of());
                  yield call.make();
                }
                case "prepareStatement" ->
                    prepared(
                        (PreparedStatement) requireNonNull(call.make()),
                        (String) requireNonNull(arguments)[0]);
                case "createStatement" -> plain((Statement) requireNonNull(call.make()));
                default -> call.make();
              });
    }

    private PreparedStatement prepared(PreparedStatement statement, String sql) {
      var parameters = new ArrayList<String>();
      return wrap(
          PreparedStatement.class,
          statement,
          (method, arguments, call) -> {
            if (method.startsWith("set") && arguments != null && arguments.length > 1) {
              parameters.add(text(arguments[1]));
            } else if (method.startsWith("execute")) {
              log.getObject().add(sql, parameters);
              parameters.clear();
            }
            return call.make();
          });
    }

    private Statement plain(Statement statement) {
      return wrap(
          Statement.class,
          statement,
          (method, arguments, call) -> {
            if (method.startsWith("execute") && arguments != null && arguments.length > 0) {
              log.getObject().add((String) arguments[0], List.of());
            }
            return call.make();
          });
    }
  }

  private static String text(@Nullable Object parameter) {
    return parameter instanceof Object[] all
        ? Stream.of(all).map(String::valueOf).collect(Collectors.joining(","))
        : String.valueOf(parameter);
  }

  private interface Call {
    @Nullable Object make() throws Throwable;
  }

  private interface Around {
    @Nullable Object call(String method, Object @Nullable [] arguments, Call call) throws Throwable;
  }

  private static <T> T wrap(Class<T> type, T target, Around around) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) ->
                around.call(
                    method.getName(),
                    arguments,
                    () -> {
                      try {
                        return method.invoke(target, arguments);
                      } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                      }
                    })));
  }
}
