package dev.superstep.database;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import org.springframework.util.ClassUtils;

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
          "Set SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and SPRING_DATASOURCE_PASSWORD to"
              + " use a server of your own, or start the jar without -server in its name, which"
              + " brings one for trying things out.");
    }
  }

  /// @throws EmbeddedDatabaseException if no embedded database can run here
  void require() {
    if (system.equals("Windows") || !hasPrograms()) {
      throw new EmbeddedDatabaseException(
          "There is no embedded PostgreSQL for %s on %s here.".formatted(system, architecture),
          "Set SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and SPRING_DATASOURCE_PASSWORD to"
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
    try (var programs = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, architecture)) {
      return programs != null;
    } catch (IllegalStateException _) {
      // The resolver's way to report that there are none.
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
