package dev.superstep;

import dev.superstep.database.UnparsedQueries;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/// Starts the service.
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableJpaRepositories(queryEnhancerSelector = UnparsedQueries.class)
public class SuperstepApplication {
  private static final Set<String> NO_SETTINGS = Set.of("--help", "--version");

  static void main(String[] args) {
    var other =
        Stream.of(args).filter(it -> !it.startsWith("--") || NO_SETTINGS.contains(it)).findFirst();
    if (other.isPresent()) {
      System.err.printf(
          "'%s' is no setting (--name=value), and this jar starts the service; commands such as"
              + " validate are those of superstep-cli.jar.%n",
          other.get());
      System.exit(2);
    }
    SpringApplication.run(SuperstepApplication.class, args);
  }
}
