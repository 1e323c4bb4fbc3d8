package dev.superstep;

import dev.superstep.start.UnparsedQueries;
import dev.superstep.testing.command.TestCommand;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/// Starts the service, or runs the tests of definitions: `test graph.yaml`.
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableJpaRepositories(queryEnhancerSelector = UnparsedQueries.class)
public class SuperstepApplication {

  static void main(String[] args) {
    if (args.length > 0 && args[0].equals(TestCommand.NAME)) {
      var command = new TestCommand(System.out, System.err);
      System.exit(command.run(List.of(args).subList(1, args.length)).code());
    }
    SpringApplication.run(SuperstepApplication.class, args);
  }
}
