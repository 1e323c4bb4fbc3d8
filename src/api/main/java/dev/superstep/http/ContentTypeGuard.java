package dev.superstep.http;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/// Refuses a `Content-Type` that is none, such as `*/*`, where a body is read: calls whose body is
/// optional accept any, and the framework fails when it reads this one. What a call does not say
/// that it takes is JSON.
final class ContentTypeGuard implements HandlerInterceptor {
  private final Map<Method, Boolean> takesJson = new ConcurrentHashMap<>();

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    var type = request.getContentType();
    if (type != null
        && request.getDispatcherType() == DispatcherType.REQUEST
        && handler instanceof HandlerMethod call
        && readsBody(call)
        && !isTaken(
            type, takesJson.computeIfAbsent(call.getMethod(), ContentTypeGuard::namesNoType))) {
      throw new ServiceException(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "the Content-Type must name one media type that this call takes; send application/json");
    }
    return true;
  }

  private static boolean readsBody(HandlerMethod call) {
    return Stream.of(call.getMethodParameters())
        .anyMatch(it -> it.hasParameterAnnotation(RequestBody.class));
  }

  private static boolean namesNoType(Method method) {
    var mapping = AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
    return mapping == null || mapping.consumes().length == 0;
  }

  private static boolean isTaken(String text, boolean json) {
    try {
      var type = MediaType.parseMediaType(text);
      return type.isConcrete() && (!json || MediaType.APPLICATION_JSON.includes(type));
    } catch (InvalidMediaTypeException _) {
      return false;
    }
  }
}
