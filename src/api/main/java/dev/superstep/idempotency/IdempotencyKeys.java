package dev.superstep.idempotency;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// Resolves the [IdempotencyKey] of a call as a parameter of controllers.
@Configuration(proxyBeanMethods = false)
class IdempotencyKeys implements WebMvcConfigurer, HandlerMethodArgumentResolver {

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(this);
  }

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType() == IdempotencyKey.class;
  }

  @Override
  public IdempotencyKey resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest request,
      @Nullable WebDataBinderFactory binders) {
    return IdempotencyKey.of(
        Objects.requireNonNull(request.getNativeRequest(HttpServletRequest.class)));
  }
}
