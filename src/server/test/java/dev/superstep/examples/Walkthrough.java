package dev.superstep.examples;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The commands of a page, in its `bash` blocks, and what it says they answer. What is not to be
/// run stands in `sh` blocks.
public record Walkthrough(String page, List<Step> steps) {
  private static final Pattern BLOCKS =
      Pattern.compile("```(bash|json|text)\\n(.*?)```", Pattern.DOTALL);

  /// @param expected members that the last line of the output must have; JSON null: anything
  /// @param lines that the output must have in this order, others between them; `…` in them stands
  ///   for anything
  public record Step(String commands, Value expected, String lines) {}

  public static boolean hasCommands(Path page) {
    try {
      return page.toString().endsWith(".md") && Files.readString(page).contains("\n```bash\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Walkthrough read(Path page) throws IOException {
    var steps = new ArrayList<Step>();
    var blocks = BLOCKS.matcher(Files.readString(page));
    while (blocks.find()) {
      var block = blocks.group(2);
      steps.add(
          switch (blocks.group(1)) {
            case "bash" -> new Step(block, Value.NULL, "");
            case "json" -> new Step(steps.removeLast().commands(), Json.read(block.strip()), "");
            default -> new Step(steps.removeLast().commands(), Value.NULL, block);
          });
    }
    return new Walkthrough(page.toString(), steps);
  }

  /// The steps before the one that has `command`, that one included.
  public Walkthrough through(String command) {
    return new Walkthrough(page, steps.subList(0, behind(command)));
  }

  /// The steps behind the one that has `command`.
  public Walkthrough after(String command) {
    return new Walkthrough(page, steps.subList(behind(command), steps.size()));
  }

  private int behind(String command) {
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i).commands().contains(command)) {
        return i + 1;
      }
    }
    throw new AssertionError("%s lacks %s".formatted(page, command));
  }

  /// The calls in the indented blocks of a page that names the service by its usual address.
  public static String calls(Path page, String base) throws IOException {
    var calls = new StringBuilder();
    boolean within = false;
    for (var line : Files.readAllLines(page)) {
      within = line.startsWith("    curl ") || (within && line.startsWith("      "));
      if (within) {
        calls.append(line.strip()).append('\n');
      }
    }
    return calls.toString().replace("http://127.0.0.1:8080", base);
  }

  /// Runs the commands as a user would and compares.
  public void run(Path folder, String base) throws IOException, InterruptedException {
    run(folder, base, "");
  }

  /// @param preamble commands before those of each step, such as variables that the page sets
  public void run(Path folder, String base, String preamble)
      throws IOException, InterruptedException {
    for (var step : steps) {
      var output = bash(preamble + step.commands(), folder, base);
      requireLines(step.lines(), output);
      if (!(step.expected() instanceof Value.Null)) {
        var answer = Json.read(output.substring(output.lastIndexOf("\n{") + 1).strip());
        var missing = difference("", step.expected(), answer);
        if (!missing.isEmpty()) {
          throw new AssertionError(
              "%s%n%s%nanswered %s%nwhich lacks %s"
                  .formatted(page, step.commands(), output, missing));
        }
      }
    }
  }

  private void requireLines(String lines, String output) {
    int from = 0;
    for (var part : lines.split("[\\n…]", -1)) {
      int at = output.indexOf(part, from);
      if (at < 0) {
        throw new AssertionError(
            "%s%n%s%nlacks, behind %s…%n%s"
                .formatted(page, output, output.substring(Math.max(0, from - 60), from), part));
      }
      from = at + part.length();
    }
  }

  public static String bash(String commands, Path folder, String base)
      throws IOException, InterruptedException {
    // Pages show commands one below the other; their answers end without a line break.
    var script = "set -eu\ncurl() { command curl \"$@\"; echo; }\n" + commands;
    var process =
        new ProcessBuilder("bash", "-c", script)
            .directory(folder.toFile())
            .redirectErrorStream(true);
    process.environment().put("BASE", base);
    var started = process.start();
    var output = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (started.waitFor() != 0) {
      throw new AssertionError("%s failed:%n%s".formatted(commands, output));
    }
    return "\n" + output.strip();
  }

  private static List<String> difference(String pointer, Value expected, Value actual) {
    if (expected instanceof ObjectValue object && actual instanceof ObjectValue found) {
      var missing = new ArrayList<String>();
      object.forEach((key, value) ->
          missing.addAll(difference(pointer + "/" + key, value, found.getOr(key, Value.NULL))));
      return missing;
    }
    if (expected instanceof ListValue list
        && actual instanceof ListValue found
        && list.size() == found.size()) {
      var missing = new ArrayList<String>();
      for (int i = 0; i < list.size(); i++) {
        missing.addAll(difference(pointer + "/" + i, list.get(i), found.get(i)));
      }
      return missing;
    }
    return expected.equals(actual) ? List.of() : List.of(pointer + " = " + expected);
  }
}
