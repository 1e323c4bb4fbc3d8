package dev.superstep.http;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.HandlerInterceptor;

/// Refuses a `Content-Type` that is none, such as `*/*`: calls whose body is optional accept any,
/// and the framework fails when it reads this one.
final class ContentTypeGuard implements HandlerInterceptor {
  private static final Set<String> WITH_BODY = Set.of("DELETE", "PATCH", "POST", "PUT");

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    var type = request.getContentType();
    if (type != null && WITH_BODY.contains(request.getMethod()) && !isConcrete(type)) {
      throw new ServiceException(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "the Content-Type must name one media type; send application/json");
    }
    return true;
  }

  private static boolean isConcrete(String type) {
    try {
      return MediaType.parseMediaType(type).isConcrete();
    } catch (InvalidMediaTypeException _) {
      return false;
    }
  }
}
