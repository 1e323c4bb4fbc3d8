import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// Looks at the sources of all modules at once: with Error Prone and NullAway, then at their sizes
/// and at their format. Alone, each module would warm all of it up anew. It uses one processor for
/// two minutes, so the tests of `src/server` run beside it: `begin` starts it and returns, `end`
/// waits for it, prints what it has found and fails if something is wrong. Without tests, `begin`
/// waits by itself.
///
/// ```
/// java Checks.java begin <target> <are warnings errors> <are tests skipped> <class path>
/// java Checks.java end <target>
/// ```
///
/// The current folder is that of the project; the class path has Error Prone, NullAway, Checkstyle,
/// google-java-format and all that any module needs. Nothing is done when no source is newer than
/// the last success.
public class Checks {
  private static final long MINUTES_MAX = 30;

  private static final String THIS = "src/server/build/Checks.java";
  private static final Path EXAMPLES = Path.of("examples");
  private static final Path SIZES = Path.of("src/checkstyle/checkstyle.xml");

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
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xms1g",
          "-XX:ReservedCodeCacheSize=240m",
          "-Dslf4j.internal.verbosity=ERROR");

  private static final List<String> EXPORTS =
      List.of("api", "file", "main", "model", "parser", "processing", "tree", "util");
  private static final List<String> OPENS = List.of("code", "comp");

  private final Path target;
  private final Path log;
  private final Path process;

  /// Is there once all has been looked at: numbers of processes are given again.
  private final Path done;

  /// Its time is that of the last success.
  private final Path stamp;

  private Checks(Path target) {
    this.target = target;
    log = target.resolve("checks.log");
    process = target.resolve("checks.pid");
    done = target.resolve("checks.done");
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
    Files.deleteIfExists(done);
    if (isDone()) {
      return 0;
    }
    Files.deleteIfExists(stamp);
    var command = jvm();
    command.addAll(List.of(THIS, "run", target.toString(), strict, path));
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
    var all = new ArrayList<>(sources());
    all.addAll(below(EXAMPLES));
    all.addAll(List.of(Path.of("pom.xml"), Path.of("src/server/pom.xml"), SIZES, Path.of(THIS)));
    for (var source : all) {
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
        sources.addAll(below(module.resolve("main/java")));
        sources.addAll(below(module.resolve("test/java")));
      }
    }
    return sources;
  }

  private static List<Path> below(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var files = Files.walk(folder)) {
      return files.filter(it -> it.toString().endsWith(".java")).toList();
    }
  }

  private int run(String strict, String path) throws Exception {
    var begun = FileTime.from(Instant.now());
    var sources = sources();
    var examples = below(EXAMPLES);
    int wrong =
        compile(strict, path, sources)
            + java(
                path,
                List.of("com.puppycrawl.tools.checkstyle.Main", "-c", SIZES.toString()),
                sources)
            + format(path, Stream.concat(sources.stream(), examples.stream()).toList());
    if (wrong == 0) {
      Files.writeString(stamp, "");
      Files.setLastModifiedTime(stamp, begun);
    }
    Files.writeString(done, "");
    return wrong;
  }

  /// As Spotless does it.
  private static int format(String path, List<Path> files) throws Exception {
    var program =
        List.of(
            "com.google.googlejavaformat.java.Main",
            "--skip-reflowing-long-strings",
            "--dry-run",
            "--set-exit-if-changed");
    int code = java(path, program, files);
    if (code != 0) {
      System.out.println("[ERROR] These are not formatted: JAVA_HOME=<25> mvn -N spotless:apply");
    }
    return code;
  }

  private int compile(String strict, String path, List<Path> sources) throws IOException {
    var classes = Files.createDirectories(target.resolve("checked"));
    var options =
        Stream.of(
            List.of("--release", Integer.toString(Runtime.version().feature())),
            List.of("-parameters", "-proc:none", "-d", classes.toString()),
            // Error Prone looks for NullAway in the second.
            List.of("-classpath", path, "-processorpath", path),
            strict.equals("true") ? List.of("-Werror") : List.<String>of(),
            // Behind the checks comes what makes classes: nobody needs them.
            List.of("-XDcompilePolicy=simple"),
            List.of("--should-stop=ifError=FLOW", "--should-stop=ifNoError=FLOW"),
            List.of("-XDaddTypeAnnotationsToSymbol=true", String.join(" ", ERROR_PRONE)),
            sources.stream().map(it -> it.toAbsolutePath().toString()).toList());
    return ToolProvider.getSystemJavaCompiler()
        .run(null, System.out, System.out, options.flatMap(List::stream).toArray(String[]::new));
  }

  /// Runs a program over files; what it prints goes where that of javac goes.
  ///
  /// @return 0 if it is content
  private static int java(String path, List<String> program, List<Path> files) throws Exception {
    var command = jvm();
    command.addAll(List.of("-cp", path));
    command.addAll(program);
    files.forEach(it -> command.add(it.toString()));
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  private static List<String> jvm() {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command = new ArrayList<>(List.of(java));
    command.addAll(JVM);
    EXPORTS.forEach(it -> command.add("--add-exports=" + inside(it)));
    OPENS.forEach(it -> command.add("--add-opens=" + inside(it)));
    return command;
  }

  private int end() throws Exception {
    if (!Files.exists(process)) {
      return 0;
    }
    var running = ProcessHandle.of(Long.parseLong(Files.readString(process)));
    var until = Instant.now().plus(MINUTES_MAX, ChronoUnit.MINUTES);
    while (!Files.exists(done) && running.filter(ProcessHandle::isAlive).isPresent()) {
      if (Instant.now().isAfter(until)) {
        throw new IllegalStateException("The checks do not end: " + log);
      }
      Thread.sleep(100);
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
