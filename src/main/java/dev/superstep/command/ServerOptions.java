package dev.superstep.command;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/// Which server a command talks to.
final class ServerOptions {
  @Option(
      names = "--server",
      paramLabel = "URL",
      defaultValue = "${env:SUPERSTEP_URL:-http://127.0.0.1:8080}",
      description = "The server; otherwise SUPERSTEP_URL, otherwise http://127.0.0.1:8080.")
  private URI server = URI.create("");

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "A file with the API key; otherwise SUPERSTEP_API_KEY. Not an argument, which others on"
              + " this machine could see.")
  private Optional<Path> keyFile = Optional.empty();

  ApiClient open() {
    if (server.getHost() == null || !"http https".contains(String.valueOf(server.getScheme()))) {
      throw new CommandException(
          "--server must be an address such as https://superstep.example, not '%s'"
              .formatted(server));
    }
    return new ApiClient(server, key());
  }

  private Optional<String> key() {
    return keyFile
        .map(it -> new String(DefinitionFiles.bytes(it), StandardCharsets.UTF_8))
        .or(() -> Optional.ofNullable(System.getenv("SUPERSTEP_API_KEY")))
        .map(String::strip)
        .filter(it -> !it.isEmpty());
  }
}
