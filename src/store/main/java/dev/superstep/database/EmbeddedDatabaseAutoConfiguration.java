package dev.superstep.database;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
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
import org.springframework.util.ClassUtils;
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

  /// The machine that an embedded PostgreSQL would run on. Its programs are on the class path only
  /// for some: those of Linux in the jar, those of macOS where Maven runs on macOS.
  ///
  /// @param system name of the operating system in the archives
  record EmbeddedPlatform(String system, String architecture) {

    private static final String LIBRARY =
        "io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver";

    static EmbeddedPlatform current() {
      var name = System.getProperty("os.name", "");
      var lower = name.toLowerCase(Locale.ROOT);
      var system = lower.startsWith("mac") ? "Darwin" : lower.startsWith("win") ? "Windows" : name;
      return new EmbeddedPlatform(system, System.getProperty("os.arch", ""));
    }

    /// @param classes of the service, which is packaged with and without an embedded database
    /// @throws EmbeddedDatabaseException if these classes have no embedded database
    static void requireLibrary(ClassLoader classes) {
      if (!ClassUtils.isPresent(LIBRARY, classes)) {
        throw new EmbeddedDatabaseException(
            "No database is configured, and this jar has no embedded PostgreSQL.",
            "Set SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and SPRING_DATASOURCE_PASSWORD"
                + " to use a server of your own, or start the jar without -server in its name,"
                + " which brings one for trying things out.");
      }
    }

    /// @throws EmbeddedDatabaseException if no embedded database can run here
    void require() {
      if (system.equals("Windows") || !hasPrograms()) {
        throw new EmbeddedDatabaseException(
            "There is no embedded PostgreSQL for %s on %s here.".formatted(system, architecture),
            "Set SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and SPRING_DATASOURCE_PASSWORD"
                + " to"
                + " use a server of your own%s."
                    .formatted(
                        switch (system) {
                          case "Windows" -> ", or start the service in a container or under WSL";
                          case "Darwin" ->
                              ", or start the service with mvn spring-boot:run, which fetches one"
                                  + " for macOS";
                          default -> "";
                        }));
      }
    }

    private boolean hasPrograms() {
      try (var programs =
          DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, architecture)) {
        return programs != null;
      } catch (IllegalStateException _) {
        // The resolver's way to report that there are none.
        return false;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
