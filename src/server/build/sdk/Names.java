import java.util.Map;

/// Where an operation of the document is found in the clients: `group.method`, in camel case.
/// Streams are written by hand in each client.
final class Names {
  private static final Map<String, String> METHODS =
      Map.ofEntries(
          Map.entry("listContextProcessors", "catalog.contextProcessors"),
          Map.entry("listContextTransforms", "catalog.contextTransforms"),
          Map.entry("previewContext", "catalog.previewContext"),
          Map.entry("listErrorCodes", "catalog.errorCodes"),
          Map.entry("getErrorCode", "catalog.errorCode"),
          Map.entry("evaluateExpression", "catalog.evaluate"),
          Map.entry("listFunctions", "catalog.functions"),
          Map.entry("listBudgets", "catalog.budgets"),
          Map.entry("listModels", "catalog.models"),
          Map.entry("listNodeTypes", "catalog.nodeTypes"),
          Map.entry("listReducers", "catalog.reducers"),
          Map.entry("listTools", "catalog.tools"),
          Map.entry("getSchema", "catalog.schema"),
          Map.entry("getServer", "catalog.server"),
          Map.entry("getStorage", "catalog.storage"),
          Map.entry("listGraphs", "graphs.list"),
          Map.entry("createGraph", "graphs.create"),
          Map.entry("testGraph", "graphs.test"),
          Map.entry("validateGraph", "graphs.validate"),
          Map.entry("deleteGraph", "graphs.delete"),
          Map.entry("getGraph", "graphs.get"),
          Map.entry("drawGraph", "graphs.diagram"),
          Map.entry("testStoredGraph", "graphs.testStored"),
          Map.entry("listGraphVersions", "graphs.versions"),
          Map.entry("getGraphVersion", "graphs.version"),
          Map.entry("listInterrupts", "interrupts.list"),
          Map.entry("getInterrupt", "interrupts.get"),
          Map.entry("answerInterrupt", "interrupts.answer"),
          Map.entry("claimInterrupt", "interrupts.claim"),
          Map.entry("releaseInterrupt", "interrupts.release"),
          Map.entry("delegateInterrupt", "interrupts.delegate"),
          Map.entry("listAuditEvents", "audit.list"),
          Map.entry("exportAuditEvents", ""),
          Map.entry("verifyAuditLog", "audit.verify"),
          Map.entry("listKeys", "keys.list"),
          Map.entry("createKey", "keys.create"),
          Map.entry("revokeKey", "keys.revoke"),
          Map.entry("rotateKey", "keys.rotate"),
          Map.entry("listSchedules", "schedules.list"),
          Map.entry("createSchedule", "schedules.create"),
          Map.entry("getSchedule", "schedules.get"),
          Map.entry("updateSchedule", "schedules.update"),
          Map.entry("deleteSchedule", "schedules.delete"),
          Map.entry("listTriggers", "triggers.list"),
          Map.entry("listWebhooks", "webhooks.list"),
          Map.entry("createWebhook", "webhooks.create"),
          Map.entry("getWebhook", "webhooks.get"),
          Map.entry("updateWebhook", "webhooks.update"),
          Map.entry("deleteWebhook", "webhooks.delete"),
          Map.entry("rotateWebhook", "webhooks.rotate"),
          Map.entry("listDeliveries", "webhooks.deliveries"),
          Map.entry("getDelivery", "webhooks.delivery"),
          Map.entry("replayDelivery", "webhooks.replay"),
          Map.entry("replayDeliveries", "webhooks.replayAll"),
          Map.entry("searchRuns", "runs.search"),
          Map.entry("startRun", "runs.start"),
          Map.entry("deleteRun", "runs.delete"),
          Map.entry("getRun", "runs.get"),
          Map.entry("cancelRun", "runs.cancel"),
          Map.entry("listCheckpoints", "runs.checkpoints"),
          Map.entry("getCheckpoint", "runs.checkpoint"),
          Map.entry("countTasks", "runs.countTasks"),
          Map.entry("getNodeContext", "runs.nodeContext"),
          Map.entry("getRunContext", "runs.context"),
          Map.entry("drawRun", "runs.diagram"),
          Map.entry("listEvents", "runs.events"),
          Map.entry("forkRun", "runs.fork"),
          Map.entry("listRunInterrupts", "runs.interrupts"),
          Map.entry("listRunMessages", "runs.messages"),
          Map.entry("sendRunMessage", "runs.send"),
          Map.entry("sendThreadMessage", "threads.send"),
          Map.entry("pauseRun", "runs.pause"),
          Map.entry("resumeRun", "runs.resume"),
          Map.entry("stepRun", "runs.step"),
          Map.entry("getRunState", "runs.state"),
          Map.entry("listTasks", "runs.tasks"),
          Map.entry("verifyRun", "runs.verify"),
          Map.entry("sendEvent", "events.send"),
          Map.entry("answerCallback", "callbacks.answer"),
          Map.entry("failCallback", "callbacks.fail"),
          Map.entry("heartbeatCallback", "callbacks.heartbeat"),
          Map.entry("claimTasks", "tasks.claim"),
          Map.entry("listTaskQueues", "tasks.queues"),
          Map.entry("heartbeatTask", "tasks.heartbeat"),
          Map.entry("endTask", "tasks.end"),
          Map.entry("releaseTask", "tasks.release"),
          Map.entry("recordTaskStep", "tasks.step"),
          Map.entry("listThreads", "threads.list"),
          Map.entry("createThread", "threads.create"),
          Map.entry("searchThreads", "threads.search"),
          Map.entry("listThreadHistory", "threads.history"),
          Map.entry("updateThread", "threads.update"),
          Map.entry("copyThread", "threads.copy"),
          Map.entry("deleteThread", "threads.delete"),
          Map.entry("getThread", "threads.get"),
          Map.entry("listThreadRuns", "threads.runs"),
          Map.entry("streamRun", ""),
          Map.entry("streamEvents", ""));

  private Names() {}

  /// @return empty for what the clients write by hand
  static String of(String operation) {
    var name = METHODS.get(operation);
    if (name == null) {
      throw new IllegalStateException(
          "src/server/build/sdk/Names.java has no name for the operation " + operation);
    }
    return name;
  }

  /// `{id}` says what it is the id of.
  static String parameter(String group, String name) {
    return name.equals("id") ? group.substring(0, group.length() - 1) + "_id" : name;
  }
}
