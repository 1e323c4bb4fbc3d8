package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;

/// A client under `sdk/`: tested, packaged as it would be published, installed as by a stranger,
/// and then its examples and those of its page are run. What a machine lacks is skipped.
public final class Sdk {
  private static final Path SOURCES = Path.of("sdk");
  private static final Path BUILT = Path.of("target/sdk").toAbsolutePath();
  private static final Pattern UNREACHABLE =
      Pattern.compile("ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED");

  private static final String CLIENT = "superstep.client";
  private static final Pattern SPRING =
      Pattern.compile(
          "/(spring-(boot|boot-autoconfigure|core|context|beans|aop|expression)|commons-logging"
              + "|micrometer-(commons|observation)|jspecify|slf4j-api)-[0-9][^/]*\\.jar$");

  /// What a line of an example says that it prints, behind a comment's sign.
  private static final Pattern PRINTED =
      Pattern.compile("(?:console\\.log|print|println)\\(.*\\);? {1,2}(?://|#) (.*)");

  private final String base;
  private final String language;
  private final Path copy;
  private final Map<String, String> variables = new HashMap<>();

  private Sdk(String base, String language) throws IOException {
    this.base = base;
    this.language = language;
    copy = BUILT.resolve(language);
    FileSystemUtils.deleteRecursively(copy);
    FileSystemUtils.copyRecursively(SOURCES.resolve(language), Files.createDirectories(copy));
    for (var left : List.of("node_modules", "dist", "superstep/__pycache__", "test/__pycache__")) {
      FileSystemUtils.deleteRecursively(copy.resolve(left));
    }
  }

  static void typescript(String base) throws IOException, InterruptedException {
    var sdk = packedTypescript(base);
    sdk.run(sdk.copy, "npm", "test").succeeded();
    var app = sdk.app();
    FileSystemUtils.copyRecursively(sdk.copy.resolve("examples"), app);
    var page = sdk.page("ts");
    Files.writeString(app.resolve("page.ts"), "declare const process: any;\n" + page);
    sdk.run(app, sdk.copy.resolve("node_modules/.bin/tsc").toString(), "--project", ".")
        .succeeded();
    sdk.shows(app, List.of("node", "out/approval.js"), "succeeded A short text about tea.");
    sdk.shows(app, List.of("node", "out/streaming.js"), "output {\"greeting\"", "run.succeeded");
    sdk.shows(app, List.of("node", "out/page.js"), printed(page));
    new SdkWorker(base, sdk.program(app, List.of("node", "out/orders.js"))).worksAsItShould();
    sdk.compilesAsTheirPageSays(page, sdk.archive());
  }

  /// A program with the installed client.
  ///
  /// @param source of JavaScript, without types
  public static ProcessBuilder typescript(String base, Path source, List<String> arguments)
      throws IOException, InterruptedException {
    var sdk = packedTypescript(base);
    var app = sdk.app();
    Files.copy(source, app.resolve("program.mjs"));
    return sdk.program(app, with(List.of("node", "program.mjs"), arguments));
  }

  private static Sdk packedTypescript(String base) throws IOException, InterruptedException {
    needs("node");
    needs("npm");
    var sdk = new Sdk(base, "typescript");
    var installed = sdk.run(sdk.copy, "npm", "ci", "--prefer-offline", "--ignore-scripts");
    assumeThat(UNREACHABLE.matcher(installed.output()).results())
        .as("the npm registry cannot be reached: %s", installed.output())
        .isEmpty();
    installed.succeeded();
    sdk.run(sdk.copy, "npm", "pack", "--pack-destination", BUILT.toString()).succeeded();
    var app = Files.createDirectories(sdk.app());
    Files.writeString(app.resolve("package.json"), "{\"type\": \"module\", \"private\": true}");
    sdk.run(app, "npm", "install", "--offline", "--ignore-scripts", sdk.archive()).succeeded();
    return sdk;
  }

  private Path app() {
    return copy.resolve("app");
  }

  private String archive() {
    return BUILT.resolve("superstep-client-0.1.0.tgz").toString();
  }

  /// What the page tells newcomers to do, with the newest compiler that there is.
  private void compilesAsTheirPageSays(String page, String archive)
      throws IOException, InterruptedException {
    // Not below the copy: the compiler takes a tsconfig.json of the folders above.
    var project = BUILT.resolve("project");
    FileSystemUtils.deleteRecursively(project);
    Files.createDirectories(project);
    Files.writeString(project.resolve("package.json"), "{}");
    Files.writeString(project.resolve("main.ts"), page);
    run(project, "npm", "install", "--offline", "--ignore-scripts", archive).succeeded();
    var recipe =
        page("sh").lines().filter(it -> !it.contains("superstep-client")).map(it -> it.split("&&"));
    for (var command : recipe.map(it -> it[0].strip()).toList()) {
      var ended = run(project, "sh", "-c", command);
      assumeThat(UNREACHABLE.matcher(ended.output()).results())
          .as("the npm registry cannot be reached: %s", ended.output())
          .isEmpty();
      ended.succeeded();
    }
    assertThat(project.resolve("out/main.js")).exists();
  }

  /// The wheel is imported as it is: a zip on the path.
  static void python(String base) throws IOException, InterruptedException {
    var sdk = packedPython(base);
    sdk.run(sdk.copy, "python3", "-m", "unittest", "discover", "-s", "test").succeeded();
    var app = sdk.app();
    var page = sdk.page("python");
    Files.writeString(app.resolve("page.py"), page);
    for (var example : List.of("approval.py", "streaming.py", "orders.py")) {
      Files.copy(sdk.copy.resolve("examples").resolve(example), app.resolve(example));
    }
    sdk.shows(app, List.of("python3", "approval.py"), "succeeded A short text about tea.");
    sdk.shows(app, List.of("python3", "streaming.py"), "output {'greeting'", "run.succeeded");
    sdk.shows(app, List.of("python3", "page.py"), printed(page));
    new SdkWorker(base, sdk.program(app, List.of("python3", "orders.py"))).worksAsItShould();
  }

  public static ProcessBuilder python(String base, Path source, List<String> arguments)
      throws IOException, InterruptedException {
    var sdk = packedPython(base);
    var app = sdk.app();
    Files.copy(source, app.resolve("program.py"));
    return sdk.program(app, with(List.of("python3", "program.py"), arguments));
  }

  private static Sdk packedPython(String base) throws IOException, InterruptedException {
    needs("python3");
    var sdk = new Sdk(base, "python");
    assumeThat(sdk.run(sdk.copy, "python3", "-c", "import sys; assert sys.version_info >= (3, 10)"))
        .as("python3 is older than 3.10")
        .matches(it -> it.code() == 0);
    sdk.run(sdk.copy, "python3", "build_wheel_of_client.py", BUILT.toString()).succeeded();
    var wheel = BUILT.resolve("superstep_client-0.1.0-py3-none-any.whl").toString();
    sdk.variables.put("PYTHONPATH", wheel);
    Files.createDirectories(sdk.app());
    return sdk;
  }

  /// With nothing beside the jar but Jackson, and then as beans of Spring Boot.
  static void java(String base) throws IOException, InterruptedException {
    var sdk = new Sdk(base, "java");
    var page = sdk.page("java");
    Files.writeString(sdk.copy.resolve("test/Page.java"), program(page));
    var tests = List.of("ClientTest", "WorkerTest", "StepsTest");
    var sources = Stream.of("Tests", "ClientTest", "WorkerTest", "StepsTest", "Page");
    var examples = List.of("Approval", "Streaming", "Orders");
    var java =
        sdk.compiled(
            jackson(),
            with(
                sources.map("test/%s.java"::formatted).toList(),
                examples.stream().map("examples/%s.java"::formatted).toList()));
    sdk.shows(
        sdk.copy,
        with(with(java, List.of("Tests")), tests),
        tests.stream().map("ok "::concat).toArray(String[]::new));
    sdk.shows(sdk.copy, with(java, List.of("Approval")), "succeeded A short text about tea.");
    sdk.shows(sdk.copy, with(java, List.of("Streaming")), "output {greeting=", "run.succeeded");
    sdk.shows(sdk.copy, with(java, List.of("Page")), printed(page));
    new SdkWorker(base, sdk.program(sdk.copy, with(java, List.of("orders.Orders"))))
        .worksAsItShould();

    var beans = List.of("examples/SpringOrders.java", "examples/Orders.java");
    var spring = sdk.compiled(with(jackson(), spring()), beans);
    new SdkWorker(base, sdk.program(sdk.copy, with(spring, List.of("orders.SpringOrders"))))
        .worksAsItShould();
  }

  /// A program of one file with the client's jar.
  public static ProcessBuilder java(String base, Path source, List<String> arguments)
      throws IOException, InterruptedException {
    var sdk = new Sdk(base, "java");
    Files.copy(source, sdk.copy.resolve("Program.java"));
    var java = sdk.compiled(jackson(), List.of("Program.java"));
    return sdk.program(sdk.copy, with(with(java, List.of("Program")), arguments));
  }

  private static List<String> jackson() {
    return Stream.of(JsonMapper.class, JsonParser.class, JsonProperty.class)
        .map(it -> it.getProtectionDomain().getCodeSource().getLocation().getPath())
        .toList();
  }

  /// What an application has that depends on Spring Boot and nothing else.
  private static List<String> spring() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(it -> SPRING.matcher(it).find())
        .toList();
  }

  /// @return what runs a class
  private List<String> compiled(List<String> libraries, List<String> sources)
      throws IOException, InterruptedException {
    var client = Objects.requireNonNull(System.getProperty(CLIENT));
    var path = String.join(File.pathSeparator, with(List.of(client), libraries));
    var classes = Files.createDirectories(copy.resolve("classes")).toString();
    var javac =
        List.of(
            tool("javac"),
            "-J-XX:TieredStopAtLevel=1",
            "-J-XX:+UseSerialGC",
            "--release",
            "17",
            "-d",
            classes,
            "-cp",
            path);
    run(copy, with(javac, sources).toArray(String[]::new)).succeeded();
    return List.of(
        tool("java"), "-XX:TieredStopAtLevel=1", "-cp", classes + File.pathSeparator + path);
  }

  private static List<String> with(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  /// Imports first, everything else in one method.
  private static String program(String page) {
    var lines = page.lines().collect(Collectors.partitioningBy(it -> it.startsWith("import ")));
    return "%s%nclass Page {%n  public static void main(String[] arguments) {%n%s%n  }%n}%n"
        .formatted(String.join("\n", lines.get(true)), String.join("\n", lines.get(false)));
  }

  private static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  /// The examples of the client's own page, which share their variables.
  private String page(String block) throws IOException {
    return Pattern.compile("```%s\\n(.*?)```".formatted(block), Pattern.DOTALL)
        .matcher(Files.readString(copy.resolve("README.md")))
        .results()
        .map(it -> it.group(1))
        .collect(Collectors.joining("\n"));
  }

  private static String[] printed(String page) {
    var lines = PRINTED.matcher(page).results().map(it -> it.group(1)).toArray(String[]::new);
    assertThat(lines).hasSizeGreaterThan(4);
    return lines;
  }

  private void shows(Path folder, List<String> command, String... lines)
      throws IOException, InterruptedException {
    var ended = run(folder, command.toArray(String[]::new));
    ended.succeeded();
    assertThat(ended.output()).containsSubsequence(lines);
  }

  private static void needs(String tool) {
    assumeThat(Stream.of(System.getenv("PATH").split(File.pathSeparator)))
        .as("there is no %s on the path", tool)
        .anyMatch(it -> Files.isExecutable(Path.of(it, tool)));
  }

  private record Ended(List<String> command, int code, String output) {
    void succeeded() {
      assertThat(code).as("%s:%n%s", command, output).isZero();
    }
  }

  private ProcessBuilder program(Path folder, List<String> command) {
    var builder = new ProcessBuilder(new ArrayList<>(command));
    builder.environment().put("SUPERSTEP_URL", base);
    builder.environment().remove("SUPERSTEP_API_KEY");
    builder.environment().putAll(variables);
    var log = BUILT.resolve(language + ".log").toFile();
    return builder.redirectErrorStream(true).redirectOutput(log).directory(folder.toFile());
  }

  private Ended run(Path folder, String... command) throws IOException, InterruptedException {
    var log = BUILT.resolve(language + ".log").toFile();
    var builder = program(folder, List.of(command));
    var process = builder.start();
    process.getOutputStream().close();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("%s does not end: %s".formatted(List.of(command), log));
    }
    var output = Files.readString(log.toPath(), StandardCharsets.UTF_8);
    return new Ended(List.of(command), process.exitValue(), output);
  }
}
