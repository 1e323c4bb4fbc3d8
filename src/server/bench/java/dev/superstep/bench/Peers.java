package dev.superstep.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What users would pick instead, measured by the same workload definitions on another day, and the
/// targets that were set with those figures in view.
///
/// Machine of the peers: 2 shared cores, PostgreSQL 15 beside them, fsync on; medians of at least
/// three runs. Compare ratios to the raw limit of the same run rather than absolute figures.
final class Peers {
  private static final String DBOS = "DBOS Java";
  private static final String RESTATE = "Restate";
  private static final String LANGGRAPH4J = "langgraph4j";
  private static final String LANGGRAPH_JS = "LangGraph JS";
  private static final String SPRING_AI_ALIBABA = "Spring AI Alibaba";

  private static final Map<String, Comparison> ALL =
      Map.ofEntries(
          entry(
              "W1 memory 1",
              "≥ 800,000",
              Double.NaN,
              peer(SPRING_AI_ALIBABA, 82_700),
              peer(LANGGRAPH4J, 35_600),
              peer(LANGGRAPH_JS, 4_300)),
          entry(
              "W1 memory 8",
              "",
              Double.NaN,
              peer(SPRING_AI_ALIBABA, 154_800),
              peer(LANGGRAPH4J, 70_000),
              peer(LANGGRAPH_JS, 4_800)),
          entry(
              "W1 durable 1",
              "≥ 0.6 × limit",
              6_052,
              peer(LANGGRAPH4J, 2_231),
              peer(DBOS, 2_188),
              peer(RESTATE, 1_158),
              peer(LANGGRAPH_JS, 669)),
          entry(
              "W1 durable 8",
              "≥ 0.6 × limit",
              19_316,
              peer(DBOS, 6_304),
              peer(RESTATE, 3_067),
              peer(LANGGRAPH4J, 2_326),
              peer(LANGGRAPH_JS, 966)),
          entry(
              "W1 durable 64",
              "≥ 0.6 × limit",
              20_610,
              peer(DBOS, 5_609),
              peer(RESTATE, 5_199),
              peer(LANGGRAPH4J, 2_201),
              peer(LANGGRAPH_JS, 958)),
          entry(
              "W1 durable 1 wal",
              "",
              2_520,
              peer(DBOS, 1_394),
              peer(LANGGRAPH4J, 3_490),
              peer(LANGGRAPH_JS, 6_135)),
          entry(
              "W2 durable 10000",
              "≤ 60",
              Double.NaN,
              peer(SPRING_AI_ALIBABA, 62.5),
              peer(LANGGRAPH4J, 81),
              peer("DBOS TS", 578),
              peer(RESTATE, 4_240),
              peer(LANGGRAPH_JS, 5_472)),
          entry("W2 killed ratio", "≤ 2 + takeover", Double.NaN),
          entry(
              "W3 200 wal",
              "≤ 3",
              Double.NaN,
              peer(DBOS + " (keeps no list)", 1.6),
              peer("DBOS TS", 2.8),
              peer(LANGGRAPH_JS, 116),
              peer(LANGGRAPH4J, 153)),
          entry(
              "W3 400 step",
              "as at 50",
              Double.NaN,
              peer(DBOS + " (keeps no list)", 0.43),
              peer(LANGGRAPH_JS, 3.1),
              peer(LANGGRAPH4J, 7.9)),
          entry(
              "W3 50 step",
              "",
              Double.NaN,
              peer(DBOS + " (keeps no list)", 0.45),
              peer(LANGGRAPH_JS, 1.9),
              peer(LANGGRAPH4J, 1.4)),
          entry(
              "W4 1 resume p50",
              "",
              Double.NaN,
              peer(LANGGRAPH4J, 0.71),
              peer(DBOS, 2.7),
              peer(LANGGRAPH_JS, 3.1)),
          entry(
              "W4 1 resume p99",
              "",
              Double.NaN,
              peer(LANGGRAPH4J, 0.97),
              peer(DBOS, 4.9),
              peer(LANGGRAPH_JS, 6.9)),
          entry("W6 one node commits", "≤ 3", Double.NaN),
          entry("START image seconds", "≤ 3", Double.NaN),
          entry("START image cpu", "≤ 6", Double.NaN),
          entry("START image idle", "≤ 0.5", Double.NaN),
          entry("START image memory", "≤ 350", Double.NaN),
          entry("START image early ratio", "≥ 0.6", Double.NaN),
          entry("START peak ratio", "≥ 0.95", Double.NaN),
          entry("START jar answer", "≤ 8", Double.NaN),
          entry("FRESH 64", "≥ 0.8", Double.NaN),
          entry("FRESH 8", "≥ 0.8", Double.NaN),
          entry("FRESH 1", "≥ 0.8", Double.NaN),
          entry("PURGE ratio", "≥ 0.9", Double.NaN),
          entry("agents 2", "≤ 1.3", Double.NaN),
          entry("agents 8", "≤ 1.3", Double.NaN),
          entry("W4 1 next p50", "≤ 4", Double.NaN),
          entry("W4 1 next p99", "≤ 50", Double.NaN),
          entry(
              "W5 fan-out 1000",
              "",
              Double.NaN,
              peer(LANGGRAPH4J, 1.24),
              peer("DBOS TS", 6.2),
              peer(RESTATE, 7.1),
              peer(LANGGRAPH_JS, 10.4)),
          entry(
              "W5 runs",
              "≤ 1.5",
              Double.NaN,
              peer(DBOS, 2.87),
              peer(LANGGRAPH4J, 5.9),
              peer(LANGGRAPH_JS, 13.0)),
          entry(
              "W6 1",
              "≥ 1.5 × best peer: 273",
              Double.NaN,
              peer(DBOS, 182),
              peer(RESTATE, 110),
              peer(LANGGRAPH_JS, 61)),
          entry(
              "W6 8",
              "≥ 1.5 × best peer: 818",
              Double.NaN,
              peer(DBOS, 545),
              peer(RESTATE, 298),
              peer(LANGGRAPH_JS, 96)),
          entry(
              "W6 64",
              "≥ 4 × best peer: 2,016",
              Double.NaN,
              peer(DBOS, 504),
              peer(RESTATE, 471),
              peer(LANGGRAPH_JS, 84),
              peer("Conductor", 17)),
          entry(
              "W6 64 p50",
              "",
              Double.NaN,
              peer(DBOS, 113),
              peer(RESTATE, 131),
              peer(LANGGRAPH_JS, 681)),
          entry(
              "W6 64 p99",
              "",
              Double.NaN,
              peer(DBOS, 399),
              peer(RESTATE, 183),
              peer(LANGGRAPH_JS, 747)));

  private Peers() {}

  /// @param limit the raw limit on the peers' machine; NaN if there is none
  /// @param peers the best first
  record Comparison(String target, double limit, List<Peer> peers) {
    /// The best peer, with its share of its own limit where there is one.
    String best() {
      if (peers.isEmpty()) {
        return "";
      }
      var best = peers.getFirst();
      var share =
          Double.isNaN(limit)
              ? ""
              : " (%s × its limit)".formatted(Numbers.text(best.value() / limit));
      return "%s %s%s".formatted(best.name(), Numbers.text(best.value()), share);
    }
  }

  record Peer(String name, double value) {
    /// Without remarks.
    String shortName() {
      return name.replaceFirst(" \\(.*", "");
    }
  }

  static Optional<Comparison> of(Figure figure) {
    return Optional.ofNullable(ALL.get(figure.key().replaceFirst("^(W[16])e ", "$1 ")));
  }

  private static Map.Entry<String, Comparison> entry(
      String key, String target, double limit, Peer... peers) {
    return Map.entry(key, new Comparison(target, limit, List.of(peers)));
  }

  private static Peer peer(String name, double value) {
    return new Peer(name, value);
  }
}
