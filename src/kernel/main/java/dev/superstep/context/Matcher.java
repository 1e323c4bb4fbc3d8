package dev.superstep.context;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Matches a key against many patterns. Patterns that begin with a whole first segment, such as
/// `llm.` or `llm.model`, are looked up by it; all other patterns are tried one by one.
final class Matcher {
  private static final Glob[] NONE = {};
  private final Glob[] tried;
  private final Glob[][] bySegment;
  private final int mask;

  Matcher(List<Glob> globs) {
    var rest = new ArrayList<Glob>();
    var segments = new HashMap<Integer, List<Glob>>();
    for (var glob : globs) {
      glob.segment()
          .map(it -> segments.computeIfAbsent(hash(it), _ -> new ArrayList<>()))
          .orElse(rest)
          .add(glob);
    }
    tried = rest.toArray(NONE);
    mask = Integer.highestOneBit(Math.max(1, 4 * segments.size())) * 2 - 1;
    bySegment = table(segments);
  }

  /// Segments with the same bucket share its list.
  private Glob[][] table(Map<Integer, List<Glob>> segments) {
    var table = new Glob[segments.isEmpty() ? 0 : mask + 1][];
    Arrays.fill(table, NONE);
    segments.forEach((hash, globs) -> {
      int bucket = hash & mask;
      var here = new ArrayList<>(Arrays.asList(table[bucket]));
      here.addAll(globs);
      table[bucket] = here.toArray(NONE);
    });
    return table;
  }

  /// Of the characters before the first dot.
  private static int hash(String key) {
    int hash = 0;
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (c == '.') {
        break;
      }
      hash = 31 * hash + c;
    }
    return hash ^ (hash >>> 15);
  }

  boolean matches(String key) {
    if (matchesOne(tried, key)) {
      return true;
    }
    var candidates = bySegment.length == 0 ? NONE : bySegment[hash(key) & mask];
    return matchesOne(candidates, key);
  }

  private static boolean matchesOne(Glob[] globs, String key) {
    for (var glob : globs) {
      if (glob.matches(key)) {
        return true;
      }
    }
    return false;
  }
}
