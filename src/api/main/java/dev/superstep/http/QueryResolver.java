package dev.superstep.http;

import dev.superstep.request.Query;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/// Hands controllers the [Query] of the call.
final class QueryResolver implements HandlerMethodArgumentResolver {

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
