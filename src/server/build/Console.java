import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Builds the console with npm: `java Console.java build|check|ahead <project> <target> <maven>`.
/// `build` puts it into `target/classes/console`; `check` lints it and runs its unit tests. `ahead`
/// does the work of both beside the build of other modules and says nothing: what it has not done,
/// or not for these sources, they do themselves. With a fifth argument, `true`, it checks nothing.
/// Runs on the JVM of Maven, so it is written for Java 17. Where there is no node, the build goes on
/// without the console; mistakes in its sources end the build.
public class Console {
  private static final int NODE_MIN = 20;
  private static final int MINUTES = 8;
  private static final boolean WINDOWS = File.pathSeparatorChar == ';';
  private static final Pattern LEFT_OUT =
      Pattern.compile("(node_modules|dist|src/api/schema[.]d[.]ts|e2e|README[.]md)(/.*)?");

  /// Why there will be no console; what the service then says.
  private static final class MissingException extends Exception {
    private static final long serialVersionUID = 1L;

    MissingException(String message) {
      super(message);
    }
  }

  private final Path project;
  private final Path console;
  private final Path target;
  private final Path maven;

  /// What has been done ahead, and for which sources.
  private final Path built;

  private final Path checked;
  private final boolean silent;
  private Path node;

  private Console(String[] arguments) {
    project = Path.of(arguments[1]).toAbsolutePath();
    console = project.resolve("console");
    target = Path.of(arguments[2]).toAbsolutePath();
    maven = Path.of(arguments[3], "bin", WINDOWS ? "mvn.cmd" : "mvn");
    built = console.resolve("node_modules/.built");
    checked = console.resolve("node_modules/.checked");
    silent = arguments[0].equals("ahead");
  }

  public static void main(String[] arguments) throws Exception {
    var console = new Console(arguments);
    var modules = Files.createDirectories(console.console.resolve("node_modules"));
    try (var file = FileChannel.open(modules.resolve(".lock"), CREATE, WRITE);
        var alone = file.lock()) {
      switch (arguments[0]) {
        case "build" -> console.build();
        case "check" -> console.check();
        default -> console.ahead(!List.of(arguments).subList(4, arguments.length).contains("true"));
      }
    } catch (IllegalStateException e) {
      if (!console.silent) {
        System.err.println(e.getMessage());
        System.exit(1);
      }
    }
  }

  private void ahead(boolean checks) throws IOException, InterruptedException {
    Files.deleteIfExists(built);
    Files.deleteIfExists(checked);
    var sources = hash(sources());
    try {
      install();
      if (!sources.equals(read(target.resolve("classes/console/stamp")))) {
        npm("run", "--silent", "build");
        Files.writeString(built, sources);
      }
      if (checks && !isChecked()) {
        var all = hash(all());
        lintAndTest();
        Files.writeString(checked, all);
      }
    } catch (MissingException e) {
      // The build of the service says it.
    }
  }

  private boolean isChecked() throws IOException {
    var said = target.resolve("console-checked");
    if (!Files.exists(said)) {
      return false;
    }
    var last = Files.getLastModifiedTime(said);
    for (var file : all()) {
      if (Files.getLastModifiedTime(file).compareTo(last) > 0) {
        return false;
      }
    }
    return true;
  }

  private void lintAndTest() throws IOException, InterruptedException {
    npm("run", "--silent", "lint");
    npm("run", "--silent", "test");
  }

  private void build() throws IOException, InterruptedException {
    var made = target.resolve("classes/console");
    var stamp = made.resolve("stamp");
    var sources = hash(sources());
    if (Files.exists(made.resolve("index.html")) && sources.equals(read(stamp))) {
      Files.setLastModifiedTime(stamp, FileTime.from(Instant.now()));
      return;
    }
    delete(made);
    Files.createDirectories(made);
    try {
      if (!sources.equals(read(built))) {
        install();
        npm("run", "--silent", "build");
      }
      // What is built by hand later on need not be of these sources.
      Files.deleteIfExists(built);
      copy(console.resolve("dist"), made);
    } catch (MissingException e) {
      if (System.getenv("CI") != null) {
        throw new IllegalStateException("The console was not built: " + e.getMessage(), e);
      }
      System.out.println("The service will have no console: " + e.getMessage());
      Files.writeString(made.resolve("missing.txt"), e.getMessage());
    }
    Files.writeString(stamp, sources);
  }

  private void check() throws IOException, InterruptedException {
    try {
      if (!hash(all()).equals(read(checked))) {
        install();
        lintAndTest();
      }
      Files.deleteIfExists(checked);
      Files.writeString(target.resolve("console-checked"), "");
    } catch (MissingException e) {
      System.out.println("The console is not checked: " + e.getMessage());
    }
  }

  /// Only what the lock file has changed in needs npm's time, and the network.
  private void install() throws IOException, InterruptedException, MissingException {
    node = findNode();
    var lock = hash(List.of(console.resolve("package-lock.json")));
    var installed = console.resolve("node_modules/.installed");
    if (lock.equals(read(installed))) {
      return;
    }
    // Not `npm ci`: the lock file knows the native parts of one platform only, and it refuses
    // others.
    var install = command("npm", "install", "--no-save", "--ignore-scripts", "--loglevel=error");
    if (run(console, install) != 0) {
      throw new MissingException("npm install failed, see the output of the build");
    }
    Files.writeString(installed, lock);
  }

  private Path findNode() throws IOException, InterruptedException, MissingException {
    var found =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .filter(it -> !it.isEmpty())
            .map(Path::of)
            .filter(this::hasNode)
            .findFirst();
    if (found.isPresent()) {
      return found.get();
    }
    var own = target.resolve("node");
    if (!hasNode(own)) {
      if (!silent) {
        System.out.println("No node " + NODE_MIN + " or later here; Maven fetches one");
      }
      var plugin = "com.github.eirslett:frontend-maven-plugin:install-node-and-npm";
      var fetch = List.of(maven.toString(), "-B", "-q", "-N", plugin);
      if (run(project, fetch) != 0 || !hasNode(own)) {
        throw new MissingException(
            "no node " + NODE_MIN + " or later was found when it was built, nor could be fetched");
      }
    }
    return own;
  }

  private boolean hasNode(Path folder) {
    var program = folder.resolve(WINDOWS ? "node.exe" : "node");
    if (!Files.isExecutable(program)) {
      return false;
    }
    try {
      var started = new ProcessBuilder(program.toString(), "--version").start();
      var version = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Integer.parseInt(version.strip().replaceFirst("v(\\d+).*", "$1")) >= NODE_MIN;
    } catch (IOException | NumberFormatException e) {
      return false;
    }
  }

  private void npm(String... arguments) throws IOException, InterruptedException {
    if (run(console, command("npm", arguments)) != 0) {
      throw new IllegalStateException("npm " + String.join(" ", arguments) + " failed in console/");
    }
  }

  private List<String> command(String name, String... arguments) {
    var command = new ArrayList<String>();
    command.add(node.resolve(WINDOWS ? name + ".cmd" : name).toString());
    command.addAll(List.of(arguments));
    return command;
  }

  private int run(Path folder, List<String> command) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    var path = System.getenv().getOrDefault("PATH", "");
    if (node != null) {
      builder.environment().put("PATH", node + File.pathSeparator + path);
    }
    var log = Files.createTempFile("console", ".log");
    try {
      var process = builder.redirectOutput(log.toFile()).start();
      process.getOutputStream().close();
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
      }
      if (process.exitValue() != 0 && !silent) {
        System.out.println(Files.readString(log));
      }
      return process.exitValue();
    } finally {
      Files.delete(log);
    }
  }

  private List<Path> sources() throws IOException {
    try (var files = Files.walk(console.resolve("src"));
        var others = Files.walk(console.resolve("public"));
        var top = Files.list(console)) {
      return Stream.of(files, others, top, Stream.of(project.resolve("docs/openapi.yaml")))
          .flatMap(it -> it)
          .filter(Files::isRegularFile)
          .filter(it -> !LEFT_OUT.matcher(name(it)).matches())
          .sorted()
          .toList();
    }
  }

  /// What is linted and tested: those and the stories.
  private List<Path> all() throws IOException {
    try (var stories = Files.walk(console.resolve("e2e"))) {
      return Stream.concat(sources().stream(), stories.filter(Files::isRegularFile).sorted())
          .toList();
    }
  }

  private String name(Path file) {
    return console.relativize(file).toString().replace(File.separatorChar, '/');
  }

  private String hash(List<Path> files) throws IOException {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      for (var file : files) {
        digest.update(name(file).getBytes(StandardCharsets.UTF_8));
        digest.update(
            String.format(Locale.ROOT, "\0%d\0", Files.size(file))
                .getBytes(StandardCharsets.UTF_8));
        digest.update(Files.readAllBytes(file));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  private static String read(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (var files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).forEach(Console::deleteFile);
      }
    }
  }

  private static void deleteFile(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
