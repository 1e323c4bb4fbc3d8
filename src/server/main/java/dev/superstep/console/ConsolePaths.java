package dev.superstep.console;

import dev.superstep.security.OpenPaths;
import java.util.List;

/// The addresses of the console, which need no key. They are listed one by one: a path that is not
/// here is the API's, or nobody's.
final class ConsolePaths {
  // The pages, as `console/src/routes.tsx` has them. All are one file, which looks at its address.
  static final String ROOT = "/";
  static final String INDEX = "/index.html";
  static final String RUNS = "/runs/**";
  static final String INBOX = "/inbox/**";
  static final String THREADS = "/threads/**";
  static final String GRAPHS = "/graphs/**";
  static final String SCHEDULES = "/schedules/**";
  static final String WEBHOOKS = "/webhooks/**";
  static final String CATALOG = "/catalog/**";

  /// Files whose name has a hash of what is in them.
  static final String ASSETS = "/assets/**";

  static final String ICON = "/icon.svg";

  private ConsolePaths() {}

  /// What is open to everybody.
  static OpenPaths open() {
    return new OpenPaths(
        List.of(
            ROOT, INDEX, RUNS, INBOX, THREADS, GRAPHS, SCHEDULES, WEBHOOKS, CATALOG, ASSETS, ICON));
  }
}
