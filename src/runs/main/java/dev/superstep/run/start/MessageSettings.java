package dev.superstep.run.start;

import dev.superstep.checkpoint.inbox.RunMessages.MessageBounds;
import dev.superstep.problem.Setting;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// How many messages a run may have.
///
/// @param waitingMax messages to one run that no superstep has taken
/// @param waitingBytesMax canonical size of these
/// @param runMax messages to one run in all
@ConfigurationProperties("superstep.messages")
record MessageSettings(
    @DefaultValue("1000") int waitingMax,
    @DefaultValue("1MB") DataSize waitingBytesMax,
    @DefaultValue("100000") int runMax) {
  MessageSettings {
    new Setting("superstep.messages.waiting-max").within(1, 100_000, waitingMax);
    new Setting("superstep.messages.waiting-bytes-max").size(waitingBytesMax);
    new Setting("superstep.messages.run-max").within(1, 10_000_000, runMax);
  }

  MessageBounds bounds() {
    return new MessageBounds(waitingMax, waitingBytesMax.toBytes(), runMax);
  }
}
