import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Copies the types that extensions are written against, and all types of the service that these
/// refer to, from one folder of classes to another: `java ExtensionApi.java <roots> <from> <to>`.
/// `roots` is a file with one class a line. Maven makes the jar `…-extension-api.jar` of the copy.
public class ExtensionApi {
  private static final Pattern DESCRIBED = Pattern.compile("L(dev/superstep/[\\w$/]+)[;<]");

  public static void main(String[] arguments) throws IOException {
    var from = Path.of(arguments[1]);
    var to = Path.of(arguments[2]);
    var open = new ArrayDeque<String>();
    for (var line : Files.readAllLines(Path.of(arguments[0]))) {
      var root = line.replaceFirst("#.*", "").strip();
      if (!root.isEmpty()) {
        open.add(root.replace('.', '/'));
      }
    }
    var found = new TreeSet<String>();
    while (!open.isEmpty()) {
      var type = open.remove();
      if (found.add(type)) {
        references(from.resolve(type + ".class")).stream()
            .filter(it -> Files.exists(from.resolve(it + ".class")))
            .forEach(open::add);
        var description = type.substring(0, type.lastIndexOf('/')) + "/package-info";
        if (Files.exists(from.resolve(description + ".class"))) {
          open.add(description);
        }
      }
    }
    delete(to);
    for (var type : found) {
      var copy = to.resolve(type + ".class");
      Files.createDirectories(copy.getParent());
      Files.copy(from.resolve(type + ".class"), copy, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /// What an earlier build has left.
  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (var files = Files.walk(folder)) {
        for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static List<String> references(Path file) throws IOException {
    var names = new TreeSet<String>();
    for (var entry : ClassFile.of().parse(file).constantPool()) {
      switch (entry) {
        case ClassEntry type -> names.add(type.asInternalName().replaceAll("^\\[+L?|;$", ""));
        case Utf8Entry text ->
            DESCRIBED.matcher(text.stringValue()).results().forEach(it -> names.add(it.group(1)));
        default -> {}
      }
    }
    return List.copyOf(names);
  }
}
