package dev.superstep.console;

import dev.superstep.security.OpenPaths;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.EncodedResourceResolver;

/// Serves the scripts, styles and pictures of the console, compressed as the build has left them.
@Configuration(proxyBeanMethods = false)
class ConsoleFiles implements WebMvcConfigurer {
  private static final Duration YEAR = Duration.ofDays(365);

  @Bean
  OpenPaths openPaths() {
    return ConsolePaths.open();
  }

  @Override
  public void addResourceHandlers(ResourceHandlerRegistry registry) {
    serve(
        registry,
        ConsolePaths.ASSETS,
        Console.FOLDER + "assets/",
        CacheControl.maxAge(YEAR).cachePublic().immutable());
    serve(registry, ConsolePaths.ICON, Console.FOLDER, CacheControl.noCache());
  }

  /// A worker has the policy that its script comes with, not that of the page.
  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(new WithoutRights()).addPathPatterns(ConsolePaths.ASSETS);
  }

  private static final class WithoutRights implements HandlerInterceptor {
    @Override
    public boolean preHandle(
        HttpServletRequest request, HttpServletResponse response, Object handler) {
      response.setHeader("Content-Security-Policy", "default-src 'none'");
      return true;
    }
  }

  private static void serve(
      ResourceHandlerRegistry registry, String pattern, String folder, CacheControl cache) {
    registry
        .addResourceHandler(pattern)
        .addResourceLocations("classpath:/" + folder)
        .setCacheControl(cache)
        .resourceChain(true)
        .addResolver(new EncodedResourceResolver());
  }
}
