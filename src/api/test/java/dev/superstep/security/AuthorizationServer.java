package dev.superstep.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.web.SecurityFilterChain;

/// Spring's authorization server with one client, `machine`, on a port of its own.
final class AuthorizationServer {
  static final String CLIENT = "machine";
  static final String SECRET = "of the machine";
  static final String AUDIENCE = "superstep-of-this-test";
  private final ServletWebServerApplicationContext context;

  private AuthorizationServer(ServletWebServerApplicationContext context) {
    this.context = context;
  }

  static AuthorizationServer start() {
    var application =
        new SpringApplicationBuilder(Beans.class)
            .web(WebApplicationType.SERVLET)
            .properties("spring.config.location=optional:classpath:/none/", "server.port=0");
    return new AuthorizationServer((ServletWebServerApplicationContext) application.run());
  }

  String issuer() {
    return "http://127.0.0.1:" + port();
  }

  int port() {
    return Objects.requireNonNull(context.getWebServer()).getPort();
  }

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
          .build();
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
              .build());
    }

    @Bean
    JWKSource<SecurityContext> keys() throws JOSEException {
      var key = new RSAKeyGenerator(2048).keyID("of this start").generate();
      return (selector, _) -> selector.select(new JWKSet(key));
    }

    /// For its own page about users, which nobody asks for here.
    @Bean
    JwtDecoder decoder(JWKSource<SecurityContext> keys) {
      return NimbusJwtDecoder.withJwkSource(keys).build();
    }

    @Bean
    OAuth2TokenCustomizer<JwtEncodingContext> audience() {
      return it -> it.getClaims().audience(List.of(AUDIENCE));
    }

    @Bean
    AuthorizationServerSettings settings() {
      return AuthorizationServerSettings.builder().build();
    }
  }
}
