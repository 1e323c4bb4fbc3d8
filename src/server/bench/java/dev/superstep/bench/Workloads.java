package dev.superstep.bench;

import java.util.List;
import java.util.Map;

/// W1 to W6, as they were defined for the peers, agents, starts and purging.
final class Workloads {
  private Workloads() {}

  /// Measures what the options ask for, prints it and writes it down. A workload whose check fails
  /// ends everything: a figure of wrong results is none.
  static void run(BenchOptions options) throws Exception {
    try (var bench = Bench.open(options)) {
      try {
        inProcess(bench);
        started(bench);
        if (options.wants("AGENTS") && options.url().isEmpty()) {
          new AgentWorkload(bench).run();
        }
        if (options.wants("W2") && options.url().isEmpty()) {
          new ReplicaWorkload(bench).run();
        }
        onlyWhenNamed(bench);
      } finally {
        new Report(bench.figures(), facts(bench)).write(options.output());
      }
    }
  }

  private static void onlyWhenNamed(Bench bench) throws Exception {
    var options = bench.options();
    if (options.wants("START")) {
      new StartWorkload(bench).run();
    }
    if (options.wants("PEERS")) {
      new PeerWorkload(bench).run();
    }
    if (options.wants("W7")) {
      new ConversationWorkload(bench).run();
    }
    if (options.wants("W8")) {
      new WaitingWorkload(bench).run();
    }
    if (options.wants("W9")) {
      new TaskWorkload(bench).run();
    }
    if (options.wants("FRESH")) {
      new FreshWorkload(bench).run();
    }
    if (options.wants("PURGE")) {
      new PurgeWorkload(bench).run();
    }
  }

  private static Map<String, String> facts(Bench bench) throws Exception {
    var facts = Machine.describe();
    facts.put(
        "PostgreSQL",
        "%s, fsync %s, synchronous_commit %s%s"
            .formatted(
                bench.sql().text("show server_version"),
                bench.sql().text("show fsync"),
                bench.sql().text("show synchronous_commit"),
                bench.options().datasource().isPresent() ? "" : ", embedded, on this machine"));
    facts.put(
        "raw limit",
        RawCommits.hasPgbench() ? "pgbench, single-row 2 KB INSERTs" : "JDBC, the same INSERTs");
    facts.put("service over HTTP", bench.options().url().orElse(ServiceChild.kind()));
    bench.options().layout().ifPresent(it -> facts.put("as in the image", it.toString()));
    facts.put("settings", ServiceSettings.describe());
    facts.put(
        "method",
        "%d repeats, closed loops of %s s after a warm-up; text is incompressible"
            .formatted(
                bench.options().pace().repeats(), Numbers.text(bench.options().pace().seconds())));
    return facts;
  }

  private static void inProcess(Bench bench) throws Exception {
    var options = bench.options();
    if (options.wants("W1")) {
      new ChainWorkload(bench).inMemory();
    }
    if (List.of("W1", "W2", "W3", "W4", "W5").stream().noneMatch(options::wants)) {
      return;
    }
    try (var service = LocalService.start(bench.sql())) {
      if (options.wants("W1")) {
        new ChainWorkload(bench).durable(service);
      }
      if (options.wants("W2")) {
        new FanOutWorkload(bench, service).widths();
      }
      if (options.wants("W3")) {
        new HistoryWorkload(bench, service).run();
      }
      if (options.wants("W4")) {
        var questions = new QuestionWorkload(bench);
        questions.inProcess(service);
        questions.leftWaiting(service);
      }
      if (options.wants("W5")) {
        new FanOutWorkload(bench, service).naps();
        new NapWorkload(bench, service).run();
      }
    }
  }

  private static void started(Bench bench) throws Exception {
    var options = bench.options();
    if (!options.wants("W4") && !options.wants("W6")) {
      return;
    }
    if (options.url().isPresent()) {
      overHttp(bench, options.url().get());
      return;
    }
    try (var service = ServiceChild.start(bench.freshDatabase(), options.output(), "service")) {
      overHttp(bench, service.url());
    }
  }

  private static void overHttp(Bench bench, String url) throws Exception {
    if (bench.options().wants("W4")) {
      new QuestionWorkload(bench).overHttp(url);
    }
    if (bench.options().wants("W6")) {
      new HttpWorkload(bench).run(url);
    }
  }
}
