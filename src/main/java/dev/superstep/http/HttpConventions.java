package dev.superstep.http;

import java.util.List;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// Registers with Spring MVC what no annotation finds: [Query] parameters and the guards of calls.
@Configuration(proxyBeanMethods = false)
class HttpConventions implements WebMvcConfigurer {

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(new QueryResolver());
  }

  @Override
  public void addInterceptors(InterceptorRegistry interceptors) {
    interceptors.addInterceptor(new QueryGuard()).addPathPatterns("/v1/**");
    interceptors.addInterceptor(new ContentTypeGuard()).addPathPatterns("/v1/**");
  }
}
