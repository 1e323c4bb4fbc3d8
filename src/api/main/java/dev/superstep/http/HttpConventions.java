package dev.superstep.http;

import java.util.List;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// Configures the conventions of the REST API in Spring MVC.
@Configuration(proxyBeanMethods = false)
class HttpConventions implements WebMvcConfigurer {

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(new QueryResolver());
  }

  @Override
  public void addInterceptors(InterceptorRegistry interceptors) {
    interceptors.addInterceptor(new QueryGuard()).addPathPatterns("/v1/**");
    interceptors.addInterceptor(new ContentTypeGuard());
  }
}
