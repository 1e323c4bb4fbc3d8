package dev.superstep.run;

import dev.superstep.checkpoint.EventLog;
import org.springframework.stereotype.Component;

/// Who knows about tasks, what they received and spent, and events.
@Component
record TaskSources(
    TaskHistory history,
    OpenSuperstep open,
    Marks marks,
    EventLog events,
    Lookups lookups,
    SpentByRun spent,
    ContextDetails contexts,
    ChildLinks links) {}
