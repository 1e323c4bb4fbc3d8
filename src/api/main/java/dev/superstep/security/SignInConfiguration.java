package dev.superstep.security;

import dev.superstep.http.ProblemWriter;
import dev.superstep.schedule.RecurringJob;
import dev.superstep.secret.Secrets;
import dev.superstep.security.SecurityChain.KeyConverter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/// Puts signing in before the checks of a call, if the settings name a client of a provider. A
/// server without has nothing of it but the job that deletes what is over.
@Configuration(proxyBeanMethods = false)
class SignInConfiguration {
  private static final Duration PURGE_PERIOD = Duration.ofMinutes(1);

  @Bean
  RecurringJob purgeSignIns(SignInSessions sessions) {
    return new RecurringJob("purge-sign-ins", PURGE_PERIOD, sessions::purge);
  }

  @Bean
  SignInLink signInLink(SignInSettings settings) {
    return new SignInLink(
        settings.isOff() ? Optional.empty() : Optional.of(settings.checked().name()));
  }

  @Bean
  Customizer<HttpSecurity> signIn(
      SignInSettings settings,
      TokenCallers issuers,
      Secrets secrets,
      ObjectProvider<SignInSessions> sessions,
      ObjectProvider<ApiFace> faces,
      ObjectProvider<OpenPaths> pages,
      ProblemWriter problems,
      AuthenticationFailureHandler failed) {
    return http -> {
      if (!settings.isOff()) {
        var cookies = new SignInCookies(settings.checked());
        var issuer = issuers.signingIn(settings);
        var provider = new SignInProvider(settings, issuer, secrets, System::nanoTime);
        var steps = new SignInSteps(settings, issuer, provider, cookies, sessions::getObject);
        http.addFilterBefore(
                new SignInFilter(
                    steps.begin(),
                    steps.callback(),
                    sessions::getObject,
                    provider,
                    cookies,
                    settings,
                    problems),
                AuthorizationFilter.class)
            .addFilterBefore(
                new SessionFilter(
                    sessions::getObject,
                    cookies,
                    new OwnPages(settings.origin()),
                    open(pages),
                    new KeyConverter(faces.stream().map(ApiFace::path).toList()),
                    failed,
                    problems),
                AuthorizationFilter.class);
      }
    };
  }

  private static RequestMatcher open(ObjectProvider<OpenPaths> pages) {
    var patterns =
        Stream.concat(
            Stream.of(SecurityChain.ERROR_CODES),
            pages.stream().flatMap(it -> it.patterns().stream()));
    List<RequestMatcher> matchers =
        patterns
            .<RequestMatcher>map(
                it -> PathPatternRequestMatcher.withDefaults().matcher(HttpMethod.GET, it))
            .toList();
    return request -> matchers.stream().anyMatch(it -> it.matches(request));
  }
}
