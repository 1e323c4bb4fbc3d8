package dev.superstep.security;

import dev.superstep.http.ProblemWriter;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

/// Lets pages of the configured origins call the API from a browser. Keys travel in a header that a
/// page has to set itself, hence no credentials of the browser are allowed. Preflights carry no
/// key, so they are answered before authentication.
@Configuration(proxyBeanMethods = false)
class CrossOrigin {
  private static final List<String> METHODS =
      List.of("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT");
  private static final List<String> SENT =
      List.of(
          "Accept",
          "Authorization",
          "Cache-Control",
          "Content-Type",
          "Idempotency-Key",
          "Last-Event-ID",
          "traceparent",
          "tracestate");
  private static final List<String> SHOWN =
      List.of("Idempotency-Replayed", "Location", "Retry-After", "WWW-Authenticate");
  private static final Duration PREFLIGHT_AGE = Duration.ofHours(1);

  @Bean
  Customizer<HttpSecurity> crossOriginCalls(
      CrossOriginSettings settings, ProblemWriter problems, ObjectProvider<ApiFace> faces) {
    return http -> {
      if (!settings.origins().isEmpty()) {
        http.addFilter(filter(settings.origins(), problems, faces.stream().toList()));
      }
    };
  }

  private static CorsFilter filter(
      List<String> origins, ProblemWriter problems, List<ApiFace> faces) {
    var allowed = allowed(origins);
    var paths = new UrlBasedCorsConfigurationSource();
    paths.registerCorsConfiguration("/v1/**", allowed);
    paths.registerCorsConfiguration("/v3/api-docs/**", allowed);
    paths.registerCorsConfiguration("/v3/api-docs.yaml", allowed);
    faces.forEach(it -> paths.registerCorsConfiguration(it.path() + "/**", allowed(origins, it)));
    var filter = new CorsFilter(paths);
    filter.setCorsProcessor(new Processor(problems));
    return filter;
  }

  private static CorsConfiguration allowed(List<String> origins) {
    var allowed = new CorsConfiguration();
    allowed.setAllowedOrigins(origins);
    allowed.setAllowedMethods(METHODS);
    allowed.setAllowedHeaders(SENT);
    allowed.setExposedHeaders(SHOWN);
    allowed.setAllowCredentials(false);
    allowed.setMaxAge(PREFLIGHT_AGE);
    return allowed;
  }

  /// Its clients send headers that this service does not know, and that change nothing.
  private static CorsConfiguration allowed(List<String> origins, ApiFace face) {
    var allowed = allowed(origins);
    allowed.setAllowedHeaders(List.of(CorsConfiguration.ALL));
    allowed.setExposedHeaders(Stream.concat(SHOWN.stream(), face.shownHeaders().stream()).toList());
    return allowed;
  }

  /// Refuses with a problem document.
  private static final class Processor extends DefaultCorsProcessor {
    private final ProblemWriter problems;

    private Processor(ProblemWriter problems) {
      this.problems = problems;
    }

    @Override
    public boolean processRequest(
        @Nullable CorsConfiguration configuration,
        HttpServletRequest request,
        HttpServletResponse response)
        throws IOException {
      boolean accepted = super.processRequest(configuration, request, response);
      if (!accepted) {
        problems.write(
            request,
            response,
            new ServiceException(
                ErrorCode.FORBIDDEN,
                "pages of this origin may not make this call: the origin is not among"
                    + " superstep.cors.origins, or the method or a header is not allowed"));
      }
      return accepted;
    }

    @Override
    protected void rejectRequest(ServerHttpResponse response) {
      // The problem document replaces it.
    }
  }
}
