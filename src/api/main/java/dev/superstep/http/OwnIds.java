package dev.superstep.http;

import dev.superstep.tenant.Tenant;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/// Makes ids in the paths of all calls the tenant's own, before a controller sees them: nothing
/// else in a path leads to a row. Ids in bodies and queries are made so where these are read.
final class OwnIds implements HandlerInterceptor {
  /// Variables of paths that name something within what the others name, or what all tenants have.
  private static final Set<String> NO_IDS =
      Set.of("code", "number", "version", "checkpoint_id", "namespace", "cron_id", "key", "token");

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    var tenant = Tenant.ofRequest();
    if (tenant.isPresent()
        && request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
            instanceof Map<?, ?> variables) {
      var own = new HashMap<Object, Object>(variables);
      own.replaceAll((name, value) ->
          NO_IDS.contains(String.valueOf(name)) ? value : tenant.get().own(String.valueOf(value)));
      request.setAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, own);
    }
    return true;
  }
}
