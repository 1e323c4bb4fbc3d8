package dev.superstep.security;

import dev.superstep.http.ProblemWriter;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.authentication.AuthenticationConverter;
import org.springframework.security.web.authentication.AuthenticationEntryPointFailureHandler;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.security.web.authentication.AuthenticationFilter;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.servlet.HandlerExceptionResolver;

/// With keys every call needs one; the console's pages and the meaning of error codes are open to
/// all, the documentation to callers on this machine, and health, information and metrics to every
/// client of the management port. Without keys, see [dev.superstep.security.LoopbackWithoutKeys]
/// and [SameMachineFilter].
@Configuration(proxyBeanMethods = false)
class SecurityChain {
  /// The methods that the firewall accepts.
  private static final Set<String> METHODS =
      Set.of("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT");

  /// Open on the management port; other endpoints that an operator exposes need a key.
  private static final String[] OPEN_ENDPOINTS = {"health", "info", "metrics", "prometheus"};

  /// Their meaning is open to everybody.
  static final String ERROR_CODES = "/v1/error-codes/**";

  /// Whoever has a token of a callback may answer it; what is sent to hooks is signed.
  private static final RequestMatcher OPEN_CALLS =
      new OrRequestMatcher(
          PathPatternRequestMatcher.withDefaults().matcher(HttpMethod.GET, ERROR_CODES),
          PathPatternRequestMatcher.withDefaults().matcher(HttpMethod.POST, "/v1/callbacks/**"),
          PathPatternRequestMatcher.withDefaults().matcher(HttpMethod.POST, "/v1/hooks/**"));

  @Bean
  ApiKeys apiKeys(SecurityProperties properties) {
    return new ApiKeys(properties.apiKeys());
  }

  /// Spans and timers of single filters add nothing to those of the whole call, and each call would
  /// pay for a dozen of them.
  @Bean
  SecurityObservationSettings withoutObservations() {
    return SecurityObservationSettings.noObservations();
  }

  private static AuthenticationEntryPoint unauthenticated(ProblemWriter problems) {
    return (request, response, _) ->
        problems.write(
            request,
            response,
            new ServiceException(
                ErrorCode.UNAUTHENTICATED,
                "send one of the server's API keys as 'Authorization: Bearer <key>'"));
  }

  /// An unknown key is the caller's mistake; a database that is away is not.
  @Bean
  AuthenticationFailureHandler failed(
      ProblemWriter problems,
      @Qualifier("handlerExceptionResolver") HandlerExceptionResolver failures) {
    var unknown = new AuthenticationEntryPointFailureHandler(unauthenticated(problems));
    return (request, response, failure) -> {
      if (failure instanceof AuthenticationServiceException
          && failure.getCause() instanceof Exception cause) {
        failures.resolveException(request, response, null, cause);
      } else {
        unknown.onAuthenticationFailure(request, response, failure);
      }
    };
  }

  /// Answers what the HTTP firewall refuses: encoded slashes, control characters and the like.
  @Bean
  RequestRejectedHandler rejected(ProblemWriter problems) {
    return (request, response, _) ->
        problems.write(
            request,
            response,
            METHODS.contains(request.getMethod())
                ? new ServiceException(
                    ErrorCode.BAD_REQUEST,
                    "the path or a header has characters that are not allowed")
                : new ServiceException(
                    ErrorCode.METHOD_NOT_ALLOWED, "no path here knows this method"));
  }

  @Bean
  SecurityFilterChain securityFilterChain(
      HttpSecurity http,
      ApiKeys keys,
      AuthenticationManager authentication,
      AuthenticationFailureHandler failed,
      ProblemWriter problems,
      ObjectProvider<ApiFace> faces,
      ObjectProvider<OpenPaths> pages,
      CallerFilters filters) {
    var open = pages.stream().flatMap(it -> it.patterns().stream()).toArray(String[]::new);
    var unauthenticated = unauthenticated(problems);
    // Whoever calls is in a header, or in a cookie that SessionFilter guards against forged
    // requests.
    http.csrf(AbstractHttpConfigurer::disable)
        .httpBasic(AbstractHttpConfigurer::disable)
        .formLogin(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .sessionManagement(it -> it.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .exceptionHandling(it -> it.authenticationEntryPoint(unauthenticated));
    if (keys.isEmpty()) {
      return http.addFilterBefore(
              new SameMachineFilter(problems, linked(open)), AuthorizationFilter.class)
          .authorizeHttpRequests(it ->
              it.requestMatchers(EndpointRequest.toAnyEndpoint().excluding(OPEN_ENDPOINTS))
                  .denyAll()
                  .anyRequest()
                  .permitAll())
          .build();
    }
    filters.addTo(http);
    return http.addFilterBefore(bearer(authentication, failed, faces), AuthorizationFilter.class)
        .authorizeHttpRequests(it ->
            it.dispatcherTypeMatchers(DispatcherType.ASYNC, DispatcherType.ERROR)
                .permitAll()
                .requestMatchers(EndpointRequest.to(OPEN_ENDPOINTS))
                .permitAll()
                .requestMatchers(new DocumentationOnThisMachine())
                .permitAll()
                .requestMatchers(OPEN_CALLS)
                .permitAll()
                .requestMatchers(HttpMethod.GET, open)
                .permitAll()
                .requestMatchers(HttpMethod.HEAD, open)
                .permitAll()
                .anyRequest()
                .authenticated())
        .build();
  }

  /// What links of other sites may lead to.
  private static RequestMatcher linked(String... open) {
    var pages = new ArrayList<RequestMatcher>(List.of(new DocumentationOnThisMachine()));
    for (var pattern : open) {
      pages.add(PathPatternRequestMatcher.withDefaults().matcher(pattern));
    }
    return new OrRequestMatcher(pages);
  }

  private static AuthenticationFilter bearer(
      AuthenticationManager authentication,
      AuthenticationFailureHandler failed,
      ObjectProvider<ApiFace> faces) {
    var converter = new KeyConverter(faces.stream().map(ApiFace::path).toList());
    AuthenticationFilter filter = new AuthenticationFilter(authentication, converter);
    filter.setSuccessHandler((_, _, _) -> {});
    filter.setFailureHandler(failed);
    return filter;
  }

  /// Matches requests over loopback for the OpenAPI document, its user interface and the schema
  /// that editors read: they send no key.
  private static final class DocumentationOnThisMachine implements RequestMatcher {

    @Override
    public boolean matches(HttpServletRequest request) {
      String path = request.getServletPath();
      return (path.startsWith("/v3/api-docs")
              || path.startsWith("/swagger-ui")
              || path.equals("/v1/schema.json"))
          && isLoopback(request.getRemoteAddr());
    }

    /// Behind a trusted proxy, this is the address that the client has sent.
    private static boolean isLoopback(String address) {
      try {
        return InetAddress.ofLiteral(address).isLoopbackAddress();
      } catch (IllegalArgumentException _) {
        return false;
      }
    }
  }

  /// Reads `Authorization: Bearer <key>` (RFC 6750), and for other faces of the API `x-api-key` if
  /// there is none.
  static final class KeyConverter implements AuthenticationConverter {
    static final String HEADER = "x-api-key";
    private static final String SCHEME = "Bearer ";
    private final List<String> faces;

    /// @param faces paths of the other faces
    KeyConverter(List<String> faces) {
      this.faces = List.copyOf(faces);
    }

    @Override
    public @Nullable Authentication convert(HttpServletRequest request) {
      // Who answers a callback may sign the call in a way of its own.
      var key = request.getServletPath().startsWith("/v1/callbacks/") ? null : key(request);
      return key == null
          ? null
          : UsernamePasswordAuthenticationToken.unauthenticated("bearer", key.strip());
    }

    private @Nullable String key(HttpServletRequest request) {
      String header = request.getHeader(HttpHeaders.AUTHORIZATION);
      if (header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
        return header.substring(SCHEME.length());
      }
      return faces.stream().anyMatch(it -> ApiFace.isBelow(it, request))
          ? request.getHeader(HEADER)
          : null;
    }
  }
}
