package dev.superstep.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.oidc.OidcScopes;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.security.oauth2.server.authorization.InMemoryOAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2TokenExchangeAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/// Spring's authorization server on a port of its own, with the client `machine`, and the client
/// `console` for people who sign in: `vera` is a viewer, `ada` an author and runner, `noah` has no
/// role, and what the tokens of `ivan` say only his ID token says in a way that counts. The client
/// `exchanger` exchanges tokens.
public final class AuthorizationServer {
  static final String CLIENT = "machine";
  static final String SECRET = "of the machine";
  public static final String CONSOLE = "console";
  public static final String CONSOLE_SECRET = "of the console";
  public static final String EXCHANGER = "exchanger";
  public static final String EXCHANGER_SECRET = "of the exchanger";
  public static final String PASSWORD = "of everybody";
  public static final String AUDIENCE = "superstep-of-this-test";
  private static final Map<String, List<String>> ROLES =
      Map.of(
          "vera", List.of("superstep:viewer"),
          "ada", List.of("superstep:author", "superstep:runner"),
          "ivan", List.of("superstep:answerer"),
          "noah", List.of("admin"));
  private final ServletWebServerApplicationContext context;

  private AuthorizationServer(ServletWebServerApplicationContext context) {
    this.context = context;
  }

  public static AuthorizationServer start() {
    var application =
        new SpringApplicationBuilder(Beans.class)
            .web(WebApplicationType.SERVLET)
            .properties("spring.config.location=optional:classpath:/none/", "server.port=0");
    return new AuthorizationServer((ServletWebServerApplicationContext) application.run());
  }

  public String issuer() {
    return "http://127.0.0.1:" + port();
  }

  public int port() {
    return Objects.requireNonNull(context.getWebServer()).getPort();
  }

  /// Lets a service have people sign in.
  ///
  /// @param url at which browsers reach it
  public void register(String url) {
    context
        .getBean(InMemoryRegisteredClientRepository.class)
        .save(
            RegisteredClient.withId(CONSOLE)
                .clientId(CONSOLE)
                .clientSecret("{noop}" + CONSOLE_SECRET)
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUri(url + "/sign-in/callback")
                .postLogoutRedirectUri(url + "/")
                .scope(OidcScopes.OPENID)
                .clientSettings(ClientSettings.builder().requireProofKey(true).build())
                .build());
  }

  /// An access token that somebody has, as if it were from a sign-in.
  ///
  /// @param audience whom it is for
  public String token(String subject, Duration lifetime, List<String> audience, String... scopes) {
    var now = Instant.now();
    var claims =
        JwtClaimsSet.builder()
            .issuer(issuer())
            .subject(subject)
            .audience(audience)
            .id(UUID.randomUUID().toString())
            .issuedAt(now)
            .expiresAt(now.plus(lifetime))
            .claim("scope", List.of(scopes))
            .build();
    var keys = context.getBean(Keys.class).source();
    var token = new NimbusJwtEncoder(keys).encode(JwtEncoderParameters.from(claims));
    var client = context.getBean(RegisteredClientRepository.class).findByClientId(CLIENT);
    context
        .getBean(OAuth2AuthorizationService.class)
        .save(
            OAuth2Authorization.withRegisteredClient(Objects.requireNonNull(client))
                .principalName(subject)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .authorizedScopes(Set.of(scopes))
                .attribute(
                    Principal.class.getName(),
                    UsernamePasswordAuthenticationToken.authenticated(subject, null, List.of()))
                .token(
                    new OAuth2AccessToken(
                        OAuth2AccessToken.TokenType.BEARER,
                        token.getTokenValue(),
                        now,
                        now.plus(lifetime),
                        Set.of(scopes)))
                .build());
    return token.getTokenValue();
  }

  /// Ends a token before its time.
  public void revoke(String token) {
    var service = context.getBean(OAuth2AuthorizationService.class);
    service.remove(
        Objects.requireNonNull(service.findByToken(token, OAuth2TokenType.ACCESS_TOKEN)));
  }

  public void close() {
    context.close();
  }

  /// With which tokens are signed.
  record Keys(JWKSource<SecurityContext> source) {}

  @EnableWebSecurity
  @ImportAutoConfiguration({
    TomcatServletWebServerAutoConfiguration.class,
    DispatcherServletAutoConfiguration.class
  })
  static class Beans {
    @Bean
    SecurityFilterChain chain(HttpSecurity http) {
      return http.oauth2AuthorizationServer(it -> it.oidc(Customizer.withDefaults()))
          .authorizeHttpRequests(it -> it.anyRequest().authenticated())
          .formLogin(Customizer.withDefaults())
          .csrf(it -> it.ignoringRequestMatchers("/login"))
          .build();
    }

    @Bean
    UserDetailsService people() {
      return new InMemoryUserDetailsManager(
          ROLES.keySet().stream()
              .map(it -> User.withUsername(it).password("{noop}" + PASSWORD).build())
              .toList());
    }

    @Bean
    RegisteredClientRepository clients() {
      return new InMemoryRegisteredClientRepository(
          RegisteredClient.withId(CLIENT)
              .clientId(CLIENT)
              .clientSecret("{noop}" + SECRET)
              .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
              .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
              .scopes(it ->
                  it.addAll(
                      List.of(
                          "superstep:read",
                          "superstep:run",
                          "superstep:author",
                          "superstep:operate")))
              .build(),
          RegisteredClient.withId(EXCHANGER)
              .clientId(EXCHANGER)
              .clientSecret("{noop}" + EXCHANGER_SECRET)
              .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
              .authorizationGrantType(AuthorizationGrantType.TOKEN_EXCHANGE)
              .scope("superstep:run")
              .build());
    }

    @Bean
    OAuth2AuthorizationService authorizations() {
      return new InMemoryOAuth2AuthorizationService();
    }

    @Bean
    Keys keyPair() throws JOSEException {
      var key = new RSAKeyGenerator(2048).keyID("of this start").generate();
      return new Keys((selector, _) -> selector.select(new JWKSet(key)));
    }

    @Bean
    JWKSource<SecurityContext> keys(Keys keys) {
      return keys.source();
    }

    /// For its own page about users, which nobody asks for here.
    @Bean
    JwtDecoder decoder(JWKSource<SecurityContext> keys) {
      return NimbusJwtDecoder.withJwkSource(keys).build();
    }

    @Bean
    OAuth2TokenCustomizer<JwtEncodingContext> audience() {
      return it -> {
        Authentication person = Objects.requireNonNull(it.getPrincipal());
        var name = person.getName();
        var roles = ROLES.get(name);
        boolean isAccess = OAuth2TokenType.ACCESS_TOKEN.equals(it.getTokenType());
        boolean isHis = "ivan".equals(name);
        if (isAccess) {
          it.getClaims().audience(List.of(isHis ? "another" : AUDIENCE));
        }
        if (it.getAuthorizationGrant() instanceof OAuth2TokenExchangeAuthenticationToken exchange) {
          it.getClaims().audience(List.copyOf(exchange.getAudiences()));
        }
        if (roles != null && isAccess != isHis) {
          it.getClaims().claim("roles", roles).claim("team", "acme");
        }
      };
    }

    @Bean
    AuthorizationServerSettings settings() {
      return AuthorizationServerSettings.builder().build();
    }
  }
}
