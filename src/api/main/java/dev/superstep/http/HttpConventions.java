package dev.superstep.http;

import dev.superstep.database.OwnThings;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.Query;
import dev.superstep.problem.ServiceException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// Configures the conventions of the REST API in Spring MVC.
@Configuration(proxyBeanMethods = false)
class HttpConventions implements WebMvcConfigurer {
  private final OwnThings things;

  HttpConventions(OwnThings things) {
    this.things = things;
  }

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(new QueryResolver());
  }

  @Override
  public void addInterceptors(InterceptorRegistry interceptors) {
    interceptors.addInterceptor(new QueryGuard()).addPathPatterns("/v1/**");
    interceptors.addInterceptor(new ContentTypeGuard());
    interceptors
        .addInterceptor(new OwnIds())
        .excludePathPatterns("/v1/keys/**", "/v1/interrupts/**", "/v1/webhooks/**");
    interceptors.addInterceptor(new ReachGuard(things));
  }

  /// Refuses a `Content-Type` that is none, such as `*/*`, where a body is read: calls whose body
  /// is optional accept any, and the framework fails when it reads this one. What a call does not
  /// say that it takes is JSON.
  private static final class ContentTypeGuard implements HandlerInterceptor {
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
            "the Content-Type must name one media type that this call takes; send"
                + " application/json");
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

  /// Refuses query parameters that the call does not document.
  private static final class QueryGuard implements HandlerInterceptor {
    private final Map<Method, Set<String>> known = new ConcurrentHashMap<>();

    @Override
    public boolean preHandle(
        HttpServletRequest request, HttpServletResponse response, Object handler) {
      if (handler instanceof HandlerMethod method) {
        check(
            QueryResolver.query(request),
            known.computeIfAbsent(method.getMethod(), QueryGuard::of));
      }
      return true;
    }

    private static void check(Query query, Set<String> known) {
      var unknown = query.names().stream().filter(it -> !known.contains(it)).sorted().toList();
      if (!unknown.isEmpty()) {
        var hint =
            known.isEmpty() ? "this call takes none" : "known are " + String.join(", ", known);
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
          MergedAnnotations.from(method).stream(QueryParameters.class)
              .flatMap(it -> Stream.of(it.getStringArray(MergedAnnotation.VALUE)))
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

  /// Hands controllers the [Query] of the call.
  private static final class QueryResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
      return parameter.getParameterType() == Query.class;
    }

    @Override
    public Query resolveArgument(
        MethodParameter parameter,
        @Nullable ModelAndViewContainer container,
        NativeWebRequest request,
        @Nullable WebDataBinderFactory binders) {
      return query(Objects.requireNonNull(request.getNativeRequest(HttpServletRequest.class)));
    }

    /// From the query string alone: parameters of a form body are none.
    static Query query(HttpServletRequest request) {
      var values = new LinkedHashMap<String, List<String>>();
      var text = request.getQueryString();
      if (text != null) {
        for (var pair : text.split("&", -1)) {
          if (!pair.isEmpty()) {
            int equals = pair.indexOf('=');
            var name = decode(equals < 0 ? pair : pair.substring(0, equals));
            var value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
          }
        }
      }
      return new Query(values);
    }

    private static String decode(String text) {
      try {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
      } catch (IllegalArgumentException _) {
        throw Query.invalid(text, "has a malformed percent sign");
      }
    }
  }
}
