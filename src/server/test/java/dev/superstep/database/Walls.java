package dev.superstep.database;

import dev.superstep.database.PoolsConfiguration.TenantOfThread;
import dev.superstep.tenant.Tenant;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/// Switches off, in a test, what keeps tenants apart, one wall at a time: `@Import(Walls.class)`.
/// Nothing of it is in the service, and no setting has this effect.
@TestConfiguration(proxyBeanMethods = false)
public class Walls {
  private static final ScopedValue<Optional<Tenant>> CALLER = ScopedValue.newInstance();

  private volatile Set<Wall> standing = EnumSet.allOf(Wall.class);

  /// What keeps tenants apart.
  public enum Wall {
    /// Each request makes the ids in it those of its tenant, and looks for no others.
    IDS,
    /// The database shows a connection the rows of one tenant.
    ROWS
  }

  /// Switches off the others.
  public void leave(Set<Wall> walls) {
    standing = Set.copyOf(walls);
  }

  /// Behind the filter that binds the tenant: without the wall of ids nothing knows it but the
  /// connections.
  @Bean
  FilterRegistrationBean<Filter> callersWithoutTenant() {
    Filter filter =
        (request, response, chain) -> {
          if (standing.contains(Wall.IDS)) {
            chain.doFilter(request, response);
          } else {
            withoutTenant(() -> chain.doFilter(request, response));
          }
        };
    var registration = new FilterRegistrationBean<>(filter);
    registration.setOrder(Ordered.LOWEST_PRECEDENCE);
    registration.setAsyncSupported(true);
    return registration;
  }

  private interface Rest {
    void answer() throws IOException, ServletException;
  }

  private static void withoutTenant(Rest rest) throws IOException, ServletException {
    try {
      ScopedValue.where(CALLER, Tenant.ofRequest())
          .call(() ->
              Tenant.outside(() -> {
                rest.answer();
                return rest;
              }));
    } catch (IOException | ServletException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }

  @Bean
  TenantOfThread tenantOfThread() {
    return () -> standing.contains(Wall.ROWS) ? tenant() : Optional.empty();
  }

  private static Optional<Tenant> tenant() {
    return CALLER.isBound() && !isOutside() ? CALLER.get() : Tenant.ofRequest();
  }

  /// Whether the service works for several tenants, or for none: once it is [#withoutTenant].
  private static boolean isOutside() {
    return StackWalker.getInstance()
            .walk(frames ->
                frames
                    .filter(it -> it.getClassName().equals(Tenant.class.getName()))
                    .filter(it -> it.getMethodName().equals("outside"))
                    .count())
        > 1;
  }
}
