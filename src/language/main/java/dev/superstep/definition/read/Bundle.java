package dev.superstep.definition.read;

import dev.superstep.definition.AuthorText;
import dev.superstep.definition.AuthorText.Format;
import dev.superstep.definition.Codes;
import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.read.DefinitionText.ParsedText;
import dev.superstep.graph.Pointer;
import dev.superstep.graph.Violation;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.json.Yaml;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.ZipInputStream;

/// A definition in several files: `graph.yaml` or `graph.json`, a prompt in each `prompts/*.md`, a
/// graph in each `graphs/*.yaml`. What is wrong is reported with its file, and its line and column
/// there.
final class Bundle {
  private static final Pattern PART =
      Pattern.compile("(prompts)/([^/]+)\\.md|(graphs)/([^/]+)\\.yaml");
  private static final String PARTS =
      "a bundle has graph.yaml or graph.json at its top, prompts/*.md and graphs/*.yaml";
  private static final Comparator<BundlePart> ORDER =
      Comparator.comparing(BundlePart::pointer).reversed();

  private final BundlePart graph;
  private final List<BundlePart> parts;
  private final ParsedText parsed;

  /// @param key of the definition that the file adds to; empty: the file is the definition
  /// @param text empty: the file is a prompt
  private record BundlePart(
      String file, String key, String name, String content, Optional<DefinitionText> text) {
    String pointer() {
      return key.isEmpty() ? "" : Pointer.child("/" + key, name);
    }

    boolean has(Violation violation) {
      return violation.pointer().equals(pointer())
          || violation.pointer().startsWith(pointer() + "/");
    }

    /// @param violation its pointer begins in this file
    Violation named(Violation violation) {
      return violation.under(pointer()).saying(file + ": " + violation.message());
    }

    /// As a member of a mapping in YAML.
    String asMember() {
      var head = "  %s:%s\n".formatted(name, text.isPresent() ? "" : " |" + chomping());
      return head + content.stripTrailing().indent(4);
    }

    private String chomping() {
      var indent = content.startsWith(" ") || content.startsWith("\n") ? "2" : "";
      return indent + (content.endsWith("\n") ? "" : "-");
    }
  }

  /// @throws ServiceException `body_too_large`; `unreadable_body` if it is no zip, has other files
  ///   than a bundle, or one that is neither JSON nor YAML
  Bundle(byte[] zip, DefinitionLimits limits) {
    var graphs = new ArrayList<BundlePart>();
    var found = new ArrayList<BundlePart>();
    ZipFiles.read(zip, limits.bytesMax())
        .forEach((file, content) -> {
          var named = PART.matcher(file);
          if (file.equals("graph.yaml") || file.equals("graph.json")) {
            graphs.add(graph(file, "", "", content));
          } else if (!named.matches()) {
            throw unreadable(file, "is no part of a definition; " + PARTS);
          } else if (named.group(1) == null) {
            found.add(graph(file, named.group(3), named.group(4), content));
          } else {
            found.add(prompt(file, named.group(1), named.group(2), content));
          }
        });
    if (graphs.size() != 1) {
      throw unreadable(
          "graph.yaml",
          graphs.isEmpty() ? "is missing; " + PARTS : "stands beside graph.json; keep one of them");
    }
    graph = graphs.getFirst();
    parts = found.stream().sorted(ORDER).toList();
    parsed = parse(limits);
  }

  private static BundlePart graph(String file, String key, String name, byte[] content) {
    var text = new DefinitionText(content, file.endsWith("json") ? Format.JSON : Format.YAML);
    return new BundlePart(file, key, name, decode(file, text), Optional.of(text));
  }

  /// As YAML reads texts: without a byte order mark, and with its line ends.
  private static BundlePart prompt(String file, String key, String name, byte[] content) {
    var text = decode(file, new DefinitionText(content, Format.YAML));
    if (!Json.isStorable(text)) {
      throw unreadable(file, "has a NUL character; remove it");
    }
    var plain = text.startsWith("\uFEFF") ? text.substring(1) : text;
    return new BundlePart(file, key, name, plain.replace("\r\n", "\n"), Optional.empty());
  }

  private static String decode(String file, DefinitionText text) {
    try {
      return text.source().text();
    } catch (ServiceException e) {
      throw inFile(file, e);
    }
  }

  private static ServiceException inFile(String file, ServiceException failure) {
    return new ServiceException(failure.code(), file + ": " + failure.detail(), failure.errors());
  }

  private static ServiceException unreadable(String file, String message) {
    return new ServiceException(ErrorCode.UNREADABLE_BODY, file + " " + message);
  }

  /// The definition as one value.
  ParsedText parsed() {
    return parsed;
  }

  private ParsedText parse(DefinitionLimits limits) {
    var read = read(graph, limits);
    var problems = new ArrayList<>(read.problems());
    var whole = read.value();
    for (var part : parts) {
      var more = read(part, limits);
      problems.addAll(more.problems());
      whole =
          whole instanceof ObjectValue object ? plus(object, part, more.value(), problems) : whole;
    }
    return new ParsedText(whole, problems);
  }

  private static ParsedText read(BundlePart part, DefinitionLimits limits) {
    if (part.text().isEmpty()) {
      return new ParsedText(Value.of(part.content()), List.of());
    }
    try {
      var read = part.text().get().parse(limits);
      return new ParsedText(read.value(), read.problems().stream().map(part::named).toList());
    } catch (ServiceException e) {
      throw inFile(part.file(), e);
    }
  }

  private static ObjectValue plus(
      ObjectValue whole, BundlePart part, Value value, List<Violation> problems) {
    if (!(whole.getOr(part.key(), ObjectValue.empty()) instanceof ObjectValue members)) {
      return whole; // the schema reports what it is instead
    }
    if (members.has(part.name())) {
      problems.add(
          part.named(
              Violation.of(
                  "",
                  Codes.DUPLICATE,
                  "'%s' stands under '%s' in the graph's file, too; keep one of them"
                      .formatted(part.name(), part.key()))));
    }
    return whole.plus(part.key(), members.plus(part.name(), value));
  }

  /// The same problems, with their file, and their position there.
  List<Violation> placed(List<Violation> violations) {
    return violations.stream().map(this::placed).toList();
  }

  private Violation placed(Violation violation) {
    var part = parts.stream().filter(it -> it.has(violation)).findFirst().orElse(graph);
    var within = violation.movedTo(violation.pointer().substring(part.pointer().length()));
    return part.named(part.text().map(it -> it.placed(List.of(within)).getFirst()).orElse(within));
  }

  /// The definition as one YAML text: the graph's file, and behind it what the others have, where
  /// that says the same; else written anew, without comments.
  AuthorText source() {
    var text = new StringBuilder(graph.content().stripTrailing()).append('\n');
    var key = "";
    for (var part : parts) {
      if (!part.key().equals(key)) {
        key = part.key();
        text.append('\n').append(key).append(":\n");
      }
      text.append(part.asMember());
    }
    var joined = text.toString();
    return new AuthorText(Format.YAML, says(joined) ? joined : Yaml.write(parsed.value()));
  }

  private boolean says(String text) {
    try {
      return graph.file().endsWith("yaml") && Yaml.read(text).equals(parsed.value());
    } catch (JsonException _) {
      return false;
    }
  }

  /// Reads the files of a zip, in memory and within bounds: a small one may unpack to any size.
  private static final class ZipFiles {
    /// Folders count.
    private static final int ENTRIES_MAX = 500;

    private ZipFiles() {}

    /// File name → content, in the order of the zip. Names are only names: nothing is written to
    /// disk.
    ///
    /// @param bytesMax of the zip, and of all files together
    /// @throws ServiceException `body_too_large`; `unreadable_body` if it is no zip, or has a file
    ///   twice
    static Map<String, byte[]> read(byte[] zip, int bytesMax) {
      if (zip.length > bytesMax) {
        throw tooLarge("the bundle has %d bytes".formatted(zip.length), bytesMax);
      }
      try (var in = new ZipInputStream(new ByteArrayInputStream(zip), StandardCharsets.UTF_8)) {
        return read(in, bytesMax);
      } catch (IOException | IllegalArgumentException e) {
        throw unreadable("the body is no zip that can be read: " + e.getMessage());
      }
    }

    private static Map<String, byte[]> read(ZipInputStream in, int bytesMax) throws IOException {
      var files = new LinkedHashMap<String, byte[]>();
      int left = bytesMax;
      int entries = 0;
      for (var entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        if (++entries > ENTRIES_MAX) {
          throw unreadable("the bundle has more than %d files and folders".formatted(ENTRIES_MAX));
        }
        var content = in.readNBytes(left + 1);
        if (content.length > left) {
          throw tooLarge("the files of the bundle have more bytes together", bytesMax);
        }
        left -= content.length;
        if (!entry.isDirectory() && files.put(entry.getName(), content) != null) {
          throw unreadable("the bundle has two files '%s'".formatted(entry.getName()));
        }
      }
      if (entries == 0) {
        throw unreadable("the body is no zip, or an empty one");
      }
      return files;
    }

    private static ServiceException tooLarge(String what, int bytesMax) {
      return new ServiceException(
          ErrorCode.BODY_TOO_LARGE,
          "%s; superstep.definitions.bytes-max allows %d".formatted(what, bytesMax));
    }

    private static ServiceException unreadable(String message) {
      return new ServiceException(ErrorCode.UNREADABLE_BODY, message);
    }
  }
}
