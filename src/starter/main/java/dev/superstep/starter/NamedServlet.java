package dev.superstep.starter;

import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/// The configuration of a servlet that no container knows.
record NamedServlet(String name, ServletContext context) implements ServletConfig {
  @Override
  public String getServletName() {
    return name;
  }

  @Override
  public ServletContext getServletContext() {
    return context;
  }

  @Override
  public @Nullable String getInitParameter(String parameter) {
    return null;
  }

  @Override
  public Enumeration<String> getInitParameterNames() {
    return Collections.emptyEnumeration();
  }
}
