package dev.superstep.model.scripted;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Replaces `{user}`, `{system}`, `{tool}` (the last tool result) and `{1}`, `{2}`, … (groups of
/// the matched expressions) in a reply.
record Words(Map<String, String> meanings) {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(user|system|tool|[1-9])}");

  /// Empty if one of the expressions is not found.
  static Optional<Words> of(Reply.When when, Asked asked) {
    var meanings = new TreeMap<String, String>();
    meanings.put("user", asked.user());
    meanings.put("system", asked.system());
    meanings.put("tool", asked.toolResult());
    var groups = new ArrayList<String>();
    boolean found =
        find(when.user(), asked.user(), groups) && find(when.system(), asked.system(), groups);
    for (int i = 0; i < groups.size(); i++) {
      meanings.put(Integer.toString(i + 1), groups.get(i));
    }
    return found ? Optional.of(new Words(meanings)) : Optional.empty();
  }

  private static boolean find(List<String> expressions, String text, List<String> groups) {
    for (var expression : expressions) {
      var matcher = Pattern.compile(expression).matcher(text);
      if (!matcher.find()) {
        return false;
      }
      for (int i = 1; i <= matcher.groupCount(); i++) {
        groups.add(matcher.group(i) == null ? "" : matcher.group(i));
      }
    }
    return true;
  }

  String fill(String text) {
    return PLACEHOLDER
        .matcher(text)
        .replaceAll(it -> Matcher.quoteReplacement(meanings.getOrDefault(it.group(1), "")));
  }

  /// In the texts of a JSON document, which stays one.
  String fillJson(String json) {
    return Json.write(fill(Json.read(json)));
  }

  private Value fill(Value value) {
    return switch (value) {
      case Value.Text(var text) -> Value.of(fill(text));
      case ListValue list -> ListValue.of(list.stream().map(this::fill).toList());
      case ObjectValue object -> {
        var filled = ObjectValue.builder();
        object.forEach((key, inner) -> filled.put(key, fill(inner)));
        yield filled.build();
      }
      case Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> value;
    };
  }
}
