package dev.superstep.run.query;

import dev.superstep.checkpoint.event.EventLog;
import dev.superstep.run.family.ChildLinks;
import dev.superstep.run.store.RunFinder;
import org.springframework.stereotype.Component;

/// The sources of tasks, their contexts, spending and events.
@Component
record TaskSources(
    TaskHistory history,
    OpenSuperstep open,
    NodeStatuses nodeStatuses,
    EventLog events,
    RunFinder runFinder,
    SpentByRun spent,
    ContextDetails contexts,
    ChildLinks links) {}
