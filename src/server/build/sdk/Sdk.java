import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.ToolProvider;

/// Writes what the clients under `sdk/` have from the committed document: types and one method for
/// each operation, by the names of [Names]. Run by the source launcher of a JDK 25, from the
/// project's folder, with snakeyaml-engine on the class path:
///
/// * `Sdk.java write`: the files that are committed, of TypeScript and Python.
/// * `Sdk.java check`: ends with 1 if those are not what the document gives.
/// * `Sdk.java java FOLDER`: the classes of the Java client, from `sdk/java` and from sources that
///   are not committed; Jackson is on the class path, too.
public class Sdk {
  private static final Path DOCUMENT = Path.of("docs/openapi.yaml");

  public static void main(String[] arguments) throws IOException {
    var api = Api.read(DOCUMENT);
    switch (arguments[0]) {
      case "write" -> {
        for (var file : committed(api).entrySet()) {
          Files.writeString(file.getKey(), file.getValue());
        }
      }
      case "check" -> check(committed(api));
      case "java" -> compileJava(api, Path.of(arguments[1]));
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static Map<Path, String> committed(Api api) {
    var files = new TreeMap<Path, String>();
    files.put(Path.of("sdk/typescript/src/generated.ts"), new TypeScript(api).source());
    files.put(Path.of("sdk/python/superstep/generated.py"), new Python(api).source());
    return files;
  }

  private static void check(Map<Path, String> files) throws IOException {
    var stale = new ArrayList<Path>();
    for (var file : files.entrySet()) {
      if (!Files.exists(file.getKey())
          || !Files.readString(file.getKey()).equals(file.getValue())) {
        stale.add(file.getKey());
      }
    }
    if (!stale.isEmpty()) {
      System.err.println("not what docs/openapi.yaml gives, write them anew: " + stale);
      System.exit(1);
    }
  }

  private static void compileJava(Api api, Path folder) throws IOException {
    var generated = folder.resolve("sources");
    delete(folder);
    for (var file : new JavaSources(api).sources().entrySet()) {
      var target = generated.resolve(file.getKey());
      Files.createDirectories(target.getParent());
      Files.writeString(target, file.getValue());
    }
    var options = new ArrayList<>(List.of("--release", "17", "-proc:none", "-parameters"));
    options.addAll(List.of("-Xlint:all,-serial,-processing", "-Werror"));
    options.addAll(List.of("-cp", System.getProperty("java.class.path")));
    options.addAll(List.of("-d", folder.resolve("classes").toString()));
    for (var root : List.of(generated, Path.of("sdk/java/src"))) {
      try (var files = Files.walk(root)) {
        files.map(Path::toString).filter(it -> it.endsWith(".java")).forEach(options::add);
      }
    }
    copy(Path.of("sdk/java/resources"), folder.resolve("classes"));
    var compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler.run(null, null, null, options.toArray(String[]::new)) != 0) {
      System.exit(1);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var target = to.resolve(from.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (var files = Files.walk(folder)) {
        for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /// Words of a name: `thread_id`, `threadId` and `Idempotency-Key` have two.
  static List<String> words(String name) {
    return List.of(
        name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT).split("[_\\-. ]+"));
  }

  static String camel(String name) {
    var words = words(name);
    var joined = new StringBuilder(words.getFirst());
    words.stream().skip(1).forEach(it -> joined.append(capital(it)));
    return joined.toString();
  }

  static String pascal(String name) {
    return capital(camel(name));
  }

  static String snake(String name) {
    return String.join("_", words(name));
  }

  private static String capital(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }
}
