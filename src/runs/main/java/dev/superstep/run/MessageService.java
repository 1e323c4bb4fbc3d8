package dev.superstep.run;

import dev.superstep.checkpoint.inbox.StoredMessage;
import dev.superstep.run.RunService.Started;
import java.util.function.Supplier;

/// Sends messages to runs for clients (E49).
public interface MessageService {

  /// Compiles what the message needs. Belongs before the transaction of the caller, as
  /// [RunService#prepare] does.
  void prepare(SendMessage request);

  /// Stores a message: it is on disk when this returns.
  ///
  /// @throws dev.superstep.problem.ServiceException for errors that the client can correct
  SentMessage send(SendMessage request);

  /// Sends the input of a request to the run that its thread has, one message for each channel, or
  /// starts a run if it has none.
  ///
  /// @param start of the request, which finds its thread free
  Started steerOr(StartRun request, Supplier<Started> start);

  /// @throws dev.superstep.problem.ServiceException `run_not_found` if it is erased
  StoredMessage find(String run, int seq);

  /// The messages of a run, in the order in which they were accepted.
  Page<StoredMessage> list(String run, Page.Request page);

  /// @param replayed the run had a message with that id and content already
  record SentMessage(StoredMessage message, boolean replayed) {}
}
