package dev.superstep.database;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/// Starts the embedded database when no other is configured. An auto-configuration, so that beans
/// of the application or a test come first. The bean is closed after everything that uses the data
/// source, hence after the last request.
@AutoConfiguration(before = DataSourceAutoConfiguration.class)
@Conditional(EmbeddedDatabaseAutoConfiguration.NoServerConfigured.class)
@ConditionalOnMissingBean(JdbcConnectionDetails.class)
@EnableConfigurationProperties(DatabaseProperties.class)
class EmbeddedDatabaseAutoConfiguration {

  @Bean(destroyMethod = "close")
  EmbeddedDatabase embeddedDatabase(DatabaseProperties properties, Environment environment) {
    if (environment.acceptsProfiles(Profiles.of("prod"))) {
      throw new EmbeddedDatabaseException(
          "The profile prod does not run on the embedded database, and no other is configured.",
          "Set SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and SPRING_DATASOURCE_PASSWORD.");
    }
    EmbeddedPlatform.requireLibrary(getClass().getClassLoader());
    EmbeddedPlatform.current().require();
    return EmbeddedDatabase.start(properties.dataDir());
  }

  static class NoServerConfigured extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(
        ConditionContext context, AnnotatedTypeMetadata metadata) {
      boolean configured =
          StringUtils.hasText(context.getEnvironment().getProperty("spring.datasource.url"));
      return new ConditionOutcome(
          !configured,
          ConditionMessage.forCondition("Embedded database")
              .because("spring.datasource.url is " + (configured ? "set" : "not set")));
    }
  }
}
