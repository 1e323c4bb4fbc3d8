package dev.superstep.console;

import dev.superstep.database.DataLocation;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/// Prints once, when the service is ready, the URLs of its console, API, documentation and health,
/// and the location of its data.
@Component
class StartMessage {
  private static final Logger log = LoggerFactory.getLogger(StartMessage.class);
  private static final String ANY = "0.0.0.0";

  private final Environment environment;
  // An optional bean: only a packaged service knows its version.
  private final ObjectProvider<BuildProperties> build;
  private final DataLocation data;
  private final Console console;

  StartMessage(
      Environment environment,
      ObjectProvider<BuildProperties> build,
      DataLocation data,
      Console console) {
    this.environment = environment;
    this.build = build;
    this.data = data;
    this.console = console;
  }

  @EventListener
  void print(ApplicationReadyEvent event) {
    var api = address("server.address", "local.server.port");
    var taken = event.getTimeTaken();
    log.info(
        """
        Superstep {} is ready{}.
          Console     {}
          API         {}/v1
          Swagger UI  {}/swagger-ui.html
          Health      {}/actuator/health
          Data        {}\
        """,
        build.stream().findFirst().map(BuildProperties::getVersion).orElse("(development)"),
        taken == null
            ? ""
            : String.format(Locale.ROOT, " after %.1f seconds", taken.toMillis() / 1000.0),
        console.missing().isEmpty() ? api + "/" : "not in this build: " + console.missing(),
        api,
        api,
        address("management.server.address", "local.management.port"),
        data.description());
  }

  private String address(String address, String port) {
    var host = environment.getProperty(address, "localhost");
    return "http://%s:%s"
        .formatted(
            host.equals(ANY) ? "localhost" : host,
            environment.getProperty(port, environment.getProperty("local.server.port", "8080")));
  }
}
