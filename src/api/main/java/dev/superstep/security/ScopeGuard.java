package dev.superstep.security;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.tenant.Reach;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.HttpMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// Refuses operations that the caller lacks the scope for, and those that declare none. Without
/// keys there is one caller, on this machine, who may do everything that declares a scope.
@Configuration(proxyBeanMethods = false)
class ScopeGuard implements WebMvcConfigurer, HandlerInterceptor {

  private final List<String> guarded;

  ScopeGuard(ObjectProvider<ApiFace> faces) {
    guarded =
        Stream.concat(Stream.of("/v1/**"), faces.stream().map(it -> it.path() + "/**")).toList();
  }

  /// Before the interceptors that look at the request more closely.
  @Override
  public void addInterceptors(InterceptorRegistry interceptors) {
    interceptors.addInterceptor(this).addPathPatterns(guarded).order(Ordered.HIGHEST_PRECEDENCE);
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (handler instanceof HandlerMethod operation
        && request.getDispatcherType() == DispatcherType.REQUEST
        && !HttpMethod.OPTIONS.matches(request.getMethod())) {
      check(operation);
    }
    return true;
  }

  private static void check(HandlerMethod operation) {
    var required = operation.getMethodAnnotation(Requires.class);
    if (required == null) {
      throw new ServiceException(ErrorCode.FORBIDDEN, "nobody may do that: it declares no scope");
    }
    var scopes = List.of(required.value());
    if (!scopes.isEmpty()) {
      var scope =
          scopes.stream()
              .filter(AuthenticatedCallers::may)
              .findFirst()
              .orElseThrow(() -> AuthenticatedCallers.lacks(scopes.getLast()));
      Reach.take(AuthenticatedCallers.reach(scope));
    }
  }
}
