package dev.superstep.http.openapi;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/// Writes the OpenAPI document of the running service to the file that `superstep.openapi.write-to`
/// names, and ends the service. `mvn -Popenapi …` starts it so.
@Component
@ConditionalOnProperty("superstep.openapi.write-to")
class DocumentExport {
  private static final Logger LOG = LoggerFactory.getLogger(DocumentExport.class);
  private final ConfigurableApplicationContext service;

  DocumentExport(ConfigurableApplicationContext service) {
    this.service = service;
  }

  @EventListener(ApplicationReadyEvent.class)
  void write() throws IOException, InterruptedException {
    var file = Path.of(service.getEnvironment().getRequiredProperty("superstep.openapi.write-to"));
    Files.writeString(file, document());
    LOG.info("wrote the OpenAPI document to {}", file);
    System.exit(SpringApplication.exit(service));
  }

  private String document() throws IOException, InterruptedException {
    int port = service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v3/api-docs.yaml".formatted(port)))
            .build();
    try (var client = HttpClient.newHttpClient()) {
      var answer = client.send(request, BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IllegalStateException("/v3/api-docs.yaml answers " + answer.statusCode());
      }
      return answer.body();
    }
  }
}
