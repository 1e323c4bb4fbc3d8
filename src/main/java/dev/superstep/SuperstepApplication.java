package dev.superstep;

import dev.superstep.command.SuperstepCommand;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/// Starts the service, or does what a command says: `validate graph.yaml`.
@SpringBootApplication
@ConfigurationPropertiesScan
public class SuperstepApplication {

  static void main(String[] args) {
    if (SuperstepCommand.isMeant(args)) {
      System.exit(SuperstepCommand.run(args));
    }
    SpringApplication.run(SuperstepApplication.class, args);
  }
}
