package dev.superstep.langgraph.run;

import java.util.Arrays;
import java.util.Optional;

/// Which events of a run a client wants.
enum StreamMode {
  VALUES("values"),
  UPDATES("updates"),
  MESSAGES_TUPLE("messages-tuple"),
  MESSAGES("messages"),
  CUSTOM("custom"),
  TASKS("tasks"),
  CHECKPOINTS("checkpoints"),
  DEBUG("debug"),
  TOOLS("tools"),
  LIFECYCLE("lifecycle");

  private final String apiName;

  StreamMode(String apiName) {
    this.apiName = apiName;
  }

  String apiName() {
    return apiName;
  }

  static Optional<StreamMode> find(String word) {
    return Arrays.stream(values()).filter(it -> it.apiName.equals(word)).findFirst();
  }
}
