package dev.superstep.agent;

import dev.superstep.model.stub.Asked;
import dev.superstep.model.stub.OpenAiStub;
import dev.superstep.model.stub.Reply;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// The model of agent tests: what it answers is written by each test, under a tag that the test
/// puts into its messages, like `#weather`.
final class Script implements AutoCloseable {
  private static final Pattern TAG = Pattern.compile("#([a-z0-9-]+)");
  private final Map<String, Queue<Reply>> replies = new ConcurrentHashMap<>();
  private final OpenAiStub stub;

  Script() throws IOException {
    stub = OpenAiStub.start(0, this::reply);
  }

  void says(String tag, Reply... in) {
    replies.put(tag, new ArrayDeque<>(List.of(in)));
  }

  private Reply reply(Asked asked) {
    var lines = replies.get(tag(asked));
    if (lines == null) {
      return Reply.error(400, "no_script", "no script for " + asked.text());
    }
    synchronized (lines) {
      var next = lines.poll();
      return next == null ? Reply.error(400, "script_over", "the script is over") : next;
    }
  }

  private static String tag(Asked asked) {
    var matcher = TAG.matcher(asked.text());
    return matcher.find() ? matcher.group(1) : "";
  }

  /// The requests with this tag.
  List<Asked> asked(String tag) {
    return stub.asked().stream().filter(it -> tag(it).equals(tag)).toList();
  }

  String url() {
    return stub.url();
  }

  @Override
  public void close() {
    stub.close();
  }
}
