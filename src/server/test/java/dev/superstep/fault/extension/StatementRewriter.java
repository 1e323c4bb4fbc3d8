package dev.superstep.fault.extension;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/// A mutant: sends other statements to the database than the service has written.
public abstract class StatementRewriter implements BeanPostProcessor {
  @Override
  public final Object postProcessAfterInitialization(Object bean, String name) {
    return bean instanceof DataSource source ? new Rewritten(source, this) : bean;
  }

  /// The statement that is sent instead.
  public abstract String mutated(String sql);

  private static final class Rewritten extends DelegatingDataSource {
    private final StatementRewriter rewriter;

    Rewritten(DataSource target, StatementRewriter rewriter) {
      super(target);
      this.rewriter = rewriter;
    }

    @Override
    public Connection getConnection() throws SQLException {
      var connection = super.getConnection();
      return (Connection)
          Proxy.newProxyInstance(
              StatementRewriter.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (_, method, arguments) -> call(connection, method, arguments));
    }

    private Object call(Connection connection, Method method, Object[] arguments) throws Throwable {
      if (method.getName().equals("prepareStatement")) {
        arguments[0] = rewriter.mutated((String) arguments[0]);
      }
      try {
        return method.invoke(connection, arguments);
      } catch (InvocationTargetException e) {
        throw e.getTargetException();
      }
    }
  }
}
