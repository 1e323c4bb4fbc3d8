package dev.superstep.http;

import java.io.IOException;
import java.util.Objects;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/// Makes the container answer with a problem document, too, when it refuses a request itself: a
/// malformed path, a broken header.
@Component
class ContainerProblems implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerProblems.class);

  @Override
  public void customize(ConfigurableTomcatWebServerFactory server) {
    server.addContextCustomizers(context -> {
      if (context.getParent() instanceof StandardHost host) {
        host.setErrorReportValveClass(Valve.class.getName());
      }
    });
  }

  /// Made by the container.
  public static final class Valve extends ErrorReportValve {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int ERRORS_FROM = 400;

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
      var status = HttpStatus.resolve(response.getStatus());
      if (status == null
          || status.value() < ERRORS_FROM
          || response.getContentWritten() > 0
          || !response.setErrorReported()) {
        return;
      }
      try {
        var cause = FailureMapping.of(status);
        // A problem document repeats the status.
        response.setStatus(cause.code().status().value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding("UTF-8");
        // There is none in a request whose first line cannot be read.
        var path = Objects.requireNonNullElse(request.getRequestURI(), "/");
        var writer = response.getReporter();
        if (writer != null) {
          writer.write(JSON.writeValueAsString(Problem.of(cause, path)));
          response.finishResponse();
        }
      } catch (IOException | IllegalStateException gone) {
        LOG.debug("the client is gone", gone);
      }
    }
  }
}
