package dev.superstep.fault.extension;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/// The mutant: takes the lease epoch out of every condition, so that whoever once owned a run may
/// write it for ever.
public final class WithoutFence implements BeanPostProcessor {
  /// A comparison with a parameter or a column of another relation; not an assignment.
  private static final Pattern FENCE =
      Pattern.compile(
          "(?<=\\b(?:where|and|on)\\s{1,40})((?:\\w+\\.)?lease_epoch\\s*=\\s*(?:\\?|\\w+\\.\\w+))",
          Pattern.CASE_INSENSITIVE);

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    return bean instanceof DataSource source ? new Unfenced(source) : bean;
  }

  /// The statement without its fence.
  public static String mutated(String sql) {
    return FENCE.matcher(sql).replaceAll("($1 or true)");
  }

  private static final class Unfenced extends DelegatingDataSource {
    Unfenced(DataSource target) {
      super(target);
    }

    @Override
    public Connection getConnection() throws SQLException {
      var connection = super.getConnection();
      return (Connection)
          Proxy.newProxyInstance(
              Unfenced.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (_, method, arguments) -> call(connection, method, arguments));
    }

    private static Object call(Connection connection, Method method, Object[] arguments)
        throws Throwable {
      if (method.getName().equals("prepareStatement")) {
        arguments[0] = mutated((String) arguments[0]);
      }
      try {
        return method.invoke(connection, arguments);
      } catch (InvocationTargetException e) {
        throw e.getTargetException();
      }
    }
  }
}
