package dev.superstep.langgraph.run;

import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;

/// Where a run is, as its clients expect it: without the prefix of this API, which they add.
record RunPaths(String run) {
  static RunPaths of(RunCall call) {
    return new RunPaths(
        call.thread().map("/threads/%s"::formatted).orElse("") + "/runs/" + call.id());
  }

  /// Says where a new run is, and where its stream goes on.
  void set(HttpServletResponse response) {
    response.setHeader(HttpHeaders.CONTENT_LOCATION, run);
    response.setHeader(HttpHeaders.LOCATION, run + "/stream");
  }
}
