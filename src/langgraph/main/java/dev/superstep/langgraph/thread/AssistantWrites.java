package dev.superstep.langgraph.thread;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.RequestFields;
import dev.superstep.langgraph.thread.Assistant.AssistantContent;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Tenant;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/// Makes, changes and deletes assistants. A change of what a graph is by itself is stored under the
/// id that this has.
@Service
@OnLangGraph
class AssistantWrites {
  private static final int ASSISTANTS_MAX = 10_000;
  private static final int VERSIONS_MAX = 1_000;
  private static final int OBJECT_BYTES_MAX = 64 * 1024;
  private static final int TEXT_MAX = 1_000;
  private final Assistants assistants;
  private final AssistantRows rows;
  private final DatabaseClock clock;
  private final AuditLog audit;

  AssistantWrites(Assistants assistants, AssistantRows rows, DatabaseClock clock, AuditLog audit) {
    this.audit = audit;
    this.assistants = assistants;
    this.rows = rows;
    this.clock = clock;
  }

  @Transactional
  Assistant create(RequestFields fields) {
    var id =
        Tenant.current()
            .own(fields.uuid("assistant_id").orElseGet(() -> UUID.randomUUID().toString()));
    boolean keeps =
        fields
            .oneOf("if_exists", List.of("raise", "do_nothing"))
            .filter("do_nothing"::equals)
            .isPresent();
    var content =
        checked(
            fields,
            new AssistantContent(
                graph(fields.required("graph_id")),
                fields.text("name").orElse("Untitled"),
                fields.text("description"),
                fields.objectOrEmpty("config"),
                fields.objectOrEmpty("context"),
                fields.objectOrEmpty("metadata")));
    if (rows.count() >= ASSISTANTS_MAX) {
      throw new ServiceException(
          ErrorCode.QUOTA_EXCEEDED,
          "there are %d assistants already; delete some".formatted(ASSISTANTS_MAX));
    }
    if (rows.insert(id, content, clock.instant())) {
      audit.record(AuditAction.ASSISTANT_CREATE, id);
    } else if (!keeps) {
      throw ServiceException.at(
          "/assistant_id",
          ErrorCode.ASSISTANT_EXISTS,
          "there is an assistant '%s'; choose another id, or say if_exists: do_nothing"
              .formatted(id));
    }
    return assistants.find(id);
  }

  /// Stores a new version, which becomes the current one.
  @Transactional
  Assistant change(String assistant, RequestFields fields) {
    var old = stored(assistant);
    var before = old.content();
    var content =
        checked(
            fields,
            new AssistantContent(
                fields.text("graph_id").map(this::graph).orElse(before.graph()),
                fields.text("name").orElse(before.name()),
                fields.text("description").or(before::description),
                fields.object("config").orElse(before.config()),
                fields.object("context").orElse(before.context()),
                before.metadata().plusAll(fields.objectOrEmpty("metadata"))));
    int version = rows.next(old.id()).orElseThrow(() -> notFound(assistant));
    if (version > VERSIONS_MAX) {
      throw new ServiceException(
          ErrorCode.QUOTA_EXCEEDED,
          "assistant '%s' has %d versions already; make another one"
              .formatted(assistant, VERSIONS_MAX));
    }
    rows.insertVersion(old.id(), version, content);
    audit.record(AuditAction.ASSISTANT_UPDATE, old.id());
    return assistants.find(old.id());
  }

  /// The assistant, locked; what a graph is by itself becomes its first version.
  private Assistant stored(String assistant) {
    var found = assistants.find(assistant);
    boolean _ = rows.insert(found.id(), found.content(), found.times().createdAt());
    if (!rows.lock(found.id())) {
      throw notFound(assistant);
    }
    return rows.find(found.id()).orElseThrow(() -> notFound(assistant));
  }

  private static ServiceException notFound(String assistant) {
    return new ServiceException(
        ErrorCode.ASSISTANT_NOT_FOUND, "there is no assistant or graph '%s'".formatted(assistant));
  }

  /// Makes an older version the current one.
  @Transactional
  Assistant choose(String assistant, int version) {
    var found = assistants.find(assistant);
    boolean isCurrent = found.version() == version;
    if (!isCurrent && rows.find(found.id(), version).isEmpty()) {
      throw new ServiceException(
          ErrorCode.ASSISTANT_NOT_FOUND,
          "assistant '%s' has no version %d".formatted(assistant, version));
    }
    if (!isCurrent) {
      rows.choose(found.id(), version);
      audit.record(AuditAction.ASSISTANT_UPDATE, found.id());
    }
    return assistants.find(found.id());
  }

  @Transactional
  Assistant delete(String assistant) {
    var found = assistants.find(assistant);
    if (!rows.delete(found.id())) {
      throw new ServiceException(
          ErrorCode.NOT_SUPPORTED,
          "assistant '%s' is the graph '%s' itself; delete the graph"
              .formatted(assistant, found.graph()));
    }
    audit.record(AuditAction.ASSISTANT_DELETE, found.id());
    return found;
  }

  private String graph(String written) {
    var name = Reach.graph(written);
    if (!assistants.hasGraph(name)) {
      throw new ServiceException(
          ErrorCode.GRAPH_NOT_FOUND, "there is no graph '%s'".formatted(name));
    }
    return name;
  }

  private static AssistantContent checked(RequestFields fields, AssistantContent content) {
    check(fields, "config", content.config());
    check(fields, "context", content.context());
    check(fields, "metadata", content.metadata());
    if (content.name().length() > TEXT_MAX
        || content.description().orElse("").length() > TEXT_MAX) {
      throw fields.refused(
          "name", "and description may have at most %d characters each".formatted(TEXT_MAX));
    }
    return content;
  }

  private static void check(RequestFields fields, String name, Value value) {
    if (Canonical.size(value) > OBJECT_BYTES_MAX) {
      throw fields.refused(name, "may have at most %d bytes".formatted(OBJECT_BYTES_MAX));
    }
  }
}
