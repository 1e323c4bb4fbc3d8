package dev.superstep.http;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import dev.superstep.request.Query;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/// Refuses query parameters that the call does not document.
final class QueryGuard implements HandlerInterceptor {
  private final Map<Method, Set<String>> known = new ConcurrentHashMap<>();

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (handler instanceof HandlerMethod method) {
      check(
          QueryResolver.query(request), known.computeIfAbsent(method.getMethod(), QueryGuard::of));
    }
    return true;
  }

  private static void check(Query query, Set<String> known) {
    var unknown = query.names().stream().filter(it -> !known.contains(it)).sorted().toList();
    if (!unknown.isEmpty()) {
      var hint = known.isEmpty() ? "this call takes none" : "known are " + String.join(", ", known);
      throw new ServiceException(
          ErrorCode.UNKNOWN_PARAMETER,
          "unknown query parameter %s; %s".formatted(String.join(", ", unknown), hint),
          unknown.stream()
              .map(it ->
                  new FieldError(
                      FieldError.parameter(it), ErrorCode.UNKNOWN_PARAMETER, "unknown; " + hint))
              .toList());
    }
  }

  private static Set<String> of(Method method) {
    var names =
        AnnotatedElementUtils.getMergedRepeatableAnnotations(method, Parameter.class).stream()
            .filter(it -> it.in() == ParameterIn.QUERY)
            .map(Parameter::name)
            .collect(Collectors.toCollection(TreeSet::new));
    for (var parameter : method.getParameters()) {
      var declared = parameter.getAnnotation(RequestParam.class);
      if (declared != null) {
        var name = declared.value().isEmpty() ? declared.name() : declared.value();
        names.add(name.isEmpty() ? parameter.getName() : name);
      }
    }
    return names;
  }
}
