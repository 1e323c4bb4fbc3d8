package dev.superstep.security;

import dev.superstep.security.TenantRequests.Request;
import dev.superstep.security.TenantThings.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Calls every operation as one tenant, with the ids of what others have and with such of what
/// nobody has. The answers have to be the same, and nothing of the others may change.
final class TenantMatrix {
  private static final Set<String> CHANGING_HEADERS =
      Set.of(
          "connection", "content-length", "date", "x-request-id", "traceparent", "server-timing");

  /// What differs between two calls of the same.
  private static final List<Map.Entry<Pattern, String>> CHANGING =
      List.of(
          Map.entry(
              Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
              "<uuid>"),
          Map.entry(Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+(Z|\\+00:00)"), "<time>"),
          Map.entry(Pattern.compile("\"timestamp\":\\d+"), "\"timestamp\":0"),
          // the record is sealed a moment after what it tells of
          Map.entry(Pattern.compile("\"not_sealed\":\\d+"), "\"not_sealed\":0"),
          Map.entry(Pattern.compile("\"head\":\"\\d+-[0-9a-f]{64}\""), "\"head\":\"<>\""),
          Map.entry(
              Pattern.compile("\"(request_id|trace_id|secret|cursor|next_cursor)\":\"[^\"]*\""),
              "\"$1\":\"<>\""));

  /// How a call begins that the service could not answer.
  static final String FAILS = "fails: ";

  /// Of what the service has not, whoever asks.
  private static final int REFUSED = 501;

  /// In which things of callers are.
  private static final List<String> TABLES =
      List.of(
          "assistant",
          "assistant_version",
          "checkpoint",
          "child_run",
          "delivery",
          "graph",
          "graph_version",
          "interrupt",
          "langgraph_run",
          "memory_item",
          "resolution",
          "run",
          "run_input",
          "webhook",
          "task",
          "thread");

  private static final Pattern NAMED = Pattern.compile("<([a-z-]+)>");

  private final TenantThings caller;
  private final List<TenantThings> others;
  private final JdbcClient owner;
  private final Map<String, String> own;
  private final Map<String, List<Pair>> ids;
  private final Sharing sharing;

  /// What the caller and the others have together.
  enum Sharing {
    /// They are of two tenants.
    NOTHING,
    /// An id that one of them has chosen is taken for the other one.
    IDS
  }

  /// @param foreign an id of something that another tenant has
  /// @param nobodys an id of the same form, of nothing
  private record Pair(String foreign, String nobodys) {}

  /// @param owner sees all rows
  /// @param own ids of the caller's things, by what they are of
  /// @param foreign ids of others' things
  TenantMatrix(
      TenantThings caller,
      List<TenantThings> others,
      JdbcClient owner,
      Map<String, String> own,
      List<Map<String, String>> foreign) {
    this(caller, others, owner, own, foreign, Sharing.NOTHING);
  }

  TenantMatrix(
      TenantThings caller,
      List<TenantThings> others,
      JdbcClient owner,
      Map<String, String> own,
      List<Map<String, String>> foreign,
      Sharing sharing) {
    this.sharing = sharing;
    this.caller = caller;
    this.others = others;
    this.owner = owner;
    this.own = own;
    this.ids = ids(foreign);
  }

  private static Map<String, List<Pair>> ids(List<Map<String, String>> made) {
    var ids = new HashMap<String, List<Pair>>();
    chosen(ids, "run", "run", "asking", "active", "parent");
    chosen(ids, "thread", "thread", "open", "busy", "forked");
    chosen(ids, "graph", "ends", "asks");
    chosen(ids, "schedule", "schedule");
    ids.put("word", List.of(new Pair("victim", "nobody")));
    for (var things : made) {
      things.forEach((kind, id) -> {
        // a place in a list is one whoever was given it: it may show nothing of others
        var pair = new Pair(id, kind.equals("cursor") ? id : like(id));
        ids.computeIfAbsent(kind, _ -> new ArrayList<>()).add(pair);
        if (kind.equals("child")) {
          ids.getOrDefault("run", List.of()).add(pair);
        } else if (kind.equals("talk")) {
          ids.getOrDefault("thread", List.of()).add(pair);
        }
      });
    }
    return ids;
  }

  private static void chosen(Map<String, List<Pair>> ids, String kind, String... names) {
    var pairs = new ArrayList<Pair>();
    for (var name : names) {
      pairs.add(new Pair("victim-" + name, "nobody-" + name));
    }
    pairs.add(new Pair("globex/victim-" + names[0], "globex/nobody-" + names[0]));
    ids.put(kind, pairs);
  }

  /// An id of the same form: its last letters and digits are the next ones.
  private static String like(String id) {
    var next = new StringBuilder(id);
    for (int i = Math.max(0, id.length() - 8); i < id.length(); i++) {
      int digit = Character.digit(id.charAt(i), 16);
      if ((digit >= 0 && Character.isLowerCase(id.charAt(i))) || Character.isDigit(id.charAt(i))) {
        next.setCharAt(i, Character.forDigit((digit + 1) % 16, 16));
      } else if (Character.isLetter(id.charAt(i))) {
        next.setCharAt(i, id.charAt(i) == 'z' ? 'y' : 'z');
      }
    }
    return next.toString();
  }

  /// Calls everything.
  ///
  /// @return where something of another tenant can be told from what nobody has
  List<String> leaks(TenantRequests requests) {
    return leaks(requests, Integer.MAX_VALUE);
  }

  /// @param variantsMax of each call, with other ids
  List<String> leaks(TenantRequests requests, int variantsMax) {
    var before = rows();
    var leaks = new ArrayList<String>();
    for (var request : requests.all()) {
      int variants = Math.min(variants(request), variantsMax);
      for (int i = 0; i < variants; i++) {
        compare(request, i, leaks);
      }
    }
    var after = rows();
    before.forEach((table, rows) -> {
      var gone = new TreeSet<>(rows);
      gone.removeAll(after.getOrDefault(table, Set.of()));
      gone.forEach(it -> leaks.add("changed in " + table + ": " + it));
      var come = new TreeSet<>(after.getOrDefault(table, Set.of()));
      come.removeAll(rows);
      come.forEach(it -> leaks.add("new in " + table + ": " + it));
    });
    return leaks;
  }

  private int variants(Request request) {
    var text = request.target() + request.body() + request.headers();
    return NAMED
        .matcher(text)
        .results()
        .mapToInt(it -> ids.getOrDefault(it.group(1), List.of()).size())
        .max()
        .orElse(1);
  }

  private void compare(Request request, int variant, List<String> leaks) {
    var nobodys = answer(request, it -> pair(it, variant).nobodys());
    var foreign = answer(request, it -> pair(it, variant).foreign());
    var what = "%s as %s".formatted(request.operation(), shown(request, variant));
    look(request, what, foreign, nobodys, leaks);
    var expected = constant(nobodys, request, it -> pair(it, variant).nobodys());
    var actual = constant(foreign, request, it -> pair(it, variant).foreign());
    if (!expected.equals(actual) && !(sharing == Sharing.IDS && isTaken(request))) {
      leaks.add("%s:%n  %s%nbut of nothing:%n  %s".formatted(what, actual, expected));
    }
  }

  /// At each answer by itself.
  private void look(
      Request request, String what, Answer foreign, Answer nobodys, List<String> leaks) {
    for (var other : others) {
      if (foreign.text().contains(other.secret()) || nobodys.text().contains(other.secret())) {
        leaks.add("%s shows what %s has: %s".formatted(what, other.tenant(), foreign.text()));
      }
    }
    if ((foreign.status() >= 500 && foreign.status() != REFUSED) || foreign.status() == 0) {
      leaks.add("%s%s: %d %s".formatted(FAILS, what, foreign.status(), foreign.text()));
    }
    if (!NAMED.matcher(request.target() + request.body()).find()
        && (foreign.text() + nobodys.text()).contains("victim")) {
      leaks.add("%s names what others have: %s".formatted(what, foreign.text()));
    }
  }

  /// Whether an answer may tell that somebody has chosen the id before.
  private static boolean isTaken(Request request) {
    return request.makes() || request.body().contains("\"thread_id\":\"<thread>\"");
  }

  private Pair pair(String kind, int variant) {
    if (kind.startsWith("own-")) {
      var id = own.getOrDefault(kind.substring("own-".length()), kind);
      return new Pair(id, id);
    }
    var pairs = ids.get(kind);
    if (pairs == null) {
      throw new IllegalStateException("no ids of " + kind);
    }
    return pairs.get(variant % pairs.size());
  }

  private String shown(Request request, int variant) {
    UnaryOperator<String> ids = it -> pair(it, variant).foreign();
    return filled(request.target(), ids)
        + " "
        + filled(request.body(), ids)
        + " "
        + request.headers();
  }

  private static String filled(String template, UnaryOperator<String> ids) {
    return NAMED.matcher(template).replaceAll(it -> ids.apply(it.group(1)));
  }

  private Answer answer(Request request, UnaryOperator<String> ids) {
    var headers = new HashMap<String, String>();
    request.headers().forEach((name, value) -> headers.put(name, filled(value, ids)));
    return caller.glance(
        request.operation().method(),
        filled(request.target(), it -> ids.apply(it).replace("/", "%2F")),
        filled(request.body(), ids),
        headers);
  }

  /// What two answers have in common if nothing tells them apart. Of what is made it is the status:
  /// a run is driven meanwhile.
  private static String constant(Answer answer, Request request, UnaryOperator<String> ids) {
    if (request.makes() && answer.status() < 300) {
      return Integer.toString(answer.status());
    }
    var headers = new TreeMap<String, List<String>>();
    answer
        .headers()
        .forEach((name, values) -> {
          if (!CHANGING_HEADERS.contains(name)) {
            headers.put(name, values);
          }
        });
    var text = "%d %s %s".formatted(answer.status(), headers, answer.text());
    var named =
        NAMED
            .matcher(request.target() + request.body() + request.headers())
            .results()
            .map(it -> it.group(1))
            .collect(Collectors.toSet());
    for (var kind : named) {
      text = text.replace(ids.apply(kind), "<" + kind + ">");
      text = text.replace(ids.apply(kind).replace("/", "%2F"), "<" + kind + ">");
    }
    for (var changing : CHANGING) {
      text = changing.getKey().matcher(text).replaceAll(changing.getValue());
    }
    return text;
  }

  /// All rows of other tenants than the caller, by table.
  private Map<String, Set<String>> rows() {
    return sharing == Sharing.IDS ? rowsOfOthers() : rowsOfOtherTenants();
  }

  /// All rows that name something of the others.
  private Map<String, Set<String>> rowsOfOthers() {
    var names =
        ids.values().stream()
            .flatMap(List::stream)
            .map(Pair::foreign)
            .filter(it -> it.length() > 3)
            .map(Pattern::quote)
            .collect(Collectors.toSet());
    names.add("victim");
    var theirs = Pattern.compile(String.join("|", names));
    var rows = new TreeMap<String, Set<String>>();
    for (var table : TABLES) {
      var found =
          owner
              .sql(
                  "select (to_jsonb(t) - 'last_used_at' - 'caught_up')::text from %s as t"
                      .formatted(table))
              .query(String.class)
              .list();
      rows.put(
          table,
          found.stream()
              .filter(theirs.asPredicate())
              .collect(Collectors.toCollection(TreeSet::new)));
    }
    return rows;
  }

  private Map<String, Set<String>> rowsOfOtherTenants() {
    var rows = new TreeMap<String, Set<String>>();
    var tables =
        owner
            .sql(
                """
                select tablename, regexp_replace(qual, '^\\((.*) = current_setting.*$', '\\1')
                  from pg_policies where tablename not in ('audit_seal', 'stored_size')
                """)
            .query((row, _) -> Map.entry(row.getString(1), row.getString(2)))
            .list();
    for (var table : tables) {
      var found =
          owner
              .sql(
                  "select (to_jsonb(t) - 'last_used_at' - 'caught_up')::text from %s as t where %s <> ?"
                      .formatted(table.getKey(), table.getValue()))
              .param(caller.tenant())
              .query(String.class)
              .list();
      rows.put(table.getKey(), new TreeSet<>(found));
    }
    return rows;
  }
}
