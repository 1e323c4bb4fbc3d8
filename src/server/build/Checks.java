import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// Error Prone and NullAway over the sources of all modules at once: alone, each would warm them up
/// anew. They use one processor for more than a minute, so the tests of `src/server` run beside
/// them: `begin` starts them and returns, `end` waits for them, prints what they have found and
/// fails if it is an error. Without tests, `begin` waits by itself.
///
/// ```
/// java Checks.java begin <target> <are warnings errors> <are tests skipped> <class path>
/// java Checks.java end <target>
/// ```
///
/// The current folder is that of the project; the class path has Error Prone, NullAway and all that
/// any module needs. Nothing is done when no source is newer than the last success.
public class Checks {
  private static final long MINUTES_MAX = 10;

  private static final List<String> ERROR_PRONE =
      List.of(
          "-Xplugin:ErrorProne",
          "-XepDisableWarningsInGeneratedCode",
          "-Xep:RequireExplicitNullMarking:ERROR",
          "-Xep:NullAway:ERROR",
          "-Xep:MissingSummary:OFF",
          "-Xep:ArrayRecordComponent:OFF",
          "-XepOpt:NullAway:OnlyNullMarked=true",
          "-XepOpt:NullAway:JSpecifyMode=true",
          "-XepOpt:NullAway:HandleTestAssertionLibraries=true");

  /// A fifth less to compute than with the second compiler, which is never done before javac is.
  private static final List<String> JVM =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xms1g");

  private static final List<String> EXPORTS =
      List.of("api", "file", "main", "model", "parser", "processing", "tree", "util");
  private static final List<String> OPENS = List.of("code", "comp");

  private final Path target;
  private final Path log;
  private final Path process;

  /// Its time is that of the last success.
  private final Path stamp;

  private Checks(Path target) {
    this.target = target;
    log = target.resolve("checks.log");
    process = target.resolve("checks.pid");
    stamp = target.resolve("checks.stamp");
  }

  public static void main(String[] arguments) throws Exception {
    var checks = new Checks(Path.of(arguments[1]));
    var rest = List.of(arguments).subList(2, arguments.length);
    System.exit(
        switch (arguments[0]) {
          case "begin" -> checks.begin(rest.get(0), rest.get(1).equals("true"), rest.get(2));
          case "run" -> checks.run(rest.get(0), rest.get(1));
          default -> checks.end();
        });
  }

  private int begin(String strict, boolean waits, String path) throws Exception {
    Files.createDirectories(target);
    Files.deleteIfExists(process);
    if (isDone()) {
      return 0;
    }
    Files.deleteIfExists(stamp);
    var command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(JVM);
    EXPORTS.forEach(it -> command.add("--add-exports=" + inside(it)));
    OPENS.forEach(it -> command.add("--add-opens=" + inside(it)));
    command.addAll(List.of("src/server/build/Checks.java", "run", target.toString(), strict, path));
    var started =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    started.getOutputStream().close();
    Files.writeString(process, Long.toString(started.pid()));
    return waits ? end() : 0;
  }

  private static String inside(String part) {
    return "jdk.compiler/com.sun.tools.javac." + part + "=ALL-UNNAMED";
  }

  private boolean isDone() throws IOException {
    if (!Files.exists(stamp)) {
      return false;
    }
    var last = Files.getLastModifiedTime(stamp);
    for (var source : sources()) {
      if (Files.getLastModifiedTime(source).compareTo(last) > 0) {
        return false;
      }
    }
    return true;
  }

  private static List<Path> sources() throws IOException {
    var sources = new ArrayList<Path>();
    try (var modules = Files.newDirectoryStream(Path.of("src"))) {
      for (var module : modules) {
        for (var folder : List.of("main/java", "test/java")) {
          if (Files.isDirectory(module.resolve(folder))) {
            try (var files = Files.walk(module.resolve(folder))) {
              files.filter(it -> it.toString().endsWith(".java")).forEach(sources::add);
            }
          }
        }
      }
    }
    return sources;
  }

  private int run(String strict, String path) throws IOException {
    var begun = FileTime.from(Instant.now());
    var classes = Files.createDirectories(target.resolve("checked"));
    var options =
        Stream.of(
            List.of("--release", Integer.toString(Runtime.version().feature())),
            List.of("-parameters", "-proc:none", "-d", classes.toString()),
            // Error Prone looks for NullAway in the second.
            List.of("-classpath", path, "-processorpath", path),
            strict.equals("true") ? List.of("-Werror") : List.<String>of(),
            List.of("-XDcompilePolicy=simple", "--should-stop=ifError=FLOW"),
            List.of("-XDaddTypeAnnotationsToSymbol=true", String.join(" ", ERROR_PRONE)),
            sources().stream().map(it -> it.toAbsolutePath().toString()).toList());
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null, System.out, System.out, options.flatMap(List::stream).toArray(String[]::new));
    if (code == 0) {
      Files.writeString(stamp, "");
      Files.setLastModifiedTime(stamp, begun);
    }
    return code;
  }

  private int end() throws Exception {
    if (!Files.exists(process)) {
      return 0;
    }
    var running = ProcessHandle.of(Long.parseLong(Files.readString(process)));
    if (running.isPresent()) {
      running.get().onExit().get(MINUTES_MAX, TimeUnit.MINUTES);
    }
    boolean succeeds = Files.exists(stamp);
    PrintStream to = succeeds ? System.out : System.err;
    try (var lines = Files.lines(log)) {
      lines
          .map(it -> it.replaceFirst("^(/.+[.]java:\\d+): error: ", "[ERROR] $1: "))
          .map(it -> it.replaceFirst("^(/.+[.]java:\\d+): warning: ", "[WARNING] $1: "))
          .forEach(to::println);
    }
    return succeeds ? 0 : 1;
  }
}
