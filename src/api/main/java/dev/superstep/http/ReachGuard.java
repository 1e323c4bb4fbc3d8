package dev.superstep.http;

import dev.superstep.database.OwnThings;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Tenant;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/// Has callers that are limited find nothing in paths that is not within their reach, as if it were
/// not there. Behind [OwnIds]. Lists, bodies and queries look to that where they are read.
final class ReachGuard implements HandlerInterceptor {
  /// Variables of paths that name something within what the others name, or nothing of a graph's;
  /// assistants and questions are looked at where they are found, from bodies, too.
  private static final Set<String> OTHERS =
      Set.of(
          "code",
          "number",
          "version",
          "checkpoint_id",
          "namespace",
          "cron_id",
          "assistant_id",
          "token");

  private static final String INTERRUPTS = "/v1/interrupts/";

  private final OwnThings things;

  ReachGuard(OwnThings things) {
    this.things = things;
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (Reach.current().isPresent()
        && request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
            instanceof Map<?, ?> variables) {
      var path =
          String.valueOf(request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE));
      var reached = new HashMap<Object, Object>(variables);
      reached.replaceAll((name, id) -> reached(path, String.valueOf(name), String.valueOf(id)));
      request.setAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, reached);
    }
    return true;
  }

  private String reached(String path, String name, String id) {
    if (OTHERS.contains(name) || path.startsWith(INTERRUPTS)) {
      return id;
    }
    return switch (name.equals("id") ? path.split("/", -1)[2] : name) {
      case "runs" -> things.run(id);
      case "tasks" -> things.task(id);
      case "run" -> things.call(id);
      case "name" -> Reach.admitsGraph(id) ? id : Tenant.nobodys(id);
      case "thread", "thread_id" -> things.thread(id);
      case "schedules" -> id; // looked at where it is found
      default ->
          throw new ServiceException(
              ErrorCode.FORBIDDEN, "a key or token that is limited cannot do that");
    };
  }
}
