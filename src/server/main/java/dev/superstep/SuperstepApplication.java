package dev.superstep;

import dev.superstep.command.SuperstepCommand;
import dev.superstep.database.UnparsedQueries;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/// Starts the service, or does what a command says: `validate graph.yaml`.
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableJpaRepositories(queryEnhancerSelector = UnparsedQueries.class)
public class SuperstepApplication {

  static void main(String[] args) {
    if (SuperstepCommand.isMeant(args)) {
      System.exit(SuperstepCommand.run(args));
    }
    SpringApplication.run(SuperstepApplication.class, args);
  }
}
