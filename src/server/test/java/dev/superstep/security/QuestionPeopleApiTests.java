package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Whom questions are addressed to. In the context of [ApiKeyApiTests].
@KeyedApiTest
class QuestionPeopleApiTests extends WorkerCalls {
  private static int made;

  private String name = "";
  private Person starter = new Person("", "");
  private Person ann = new Person("", "");
  private Person bob = new Person("", "");

  private record Person(String id, String secret) {}

  @BeforeEach
  void people() {
    name = "people-" + made++;
    starter = person("starter", "\"runner\",\"answerer\"");
    ann = person("ann", "\"answerer\"");
    bob = person("bob", "\"answerer\"");
  }

  private Person person(String who, String roles) {
    var key =
        post("alpha", "/v1/keys", "{\"name\":\"%s-%s\",\"roles\":[%s]}".formatted(name, who, roles))
            .body();
    return new Person(key.textOrEmpty("id"), key.textOrEmpty("secret"));
  }

  /// Asks once, or twice, by the starter's run.
  private String asks(String config, String... more) {
    var nodes = new ArrayList<String>();
    nodes.add("{\"id\":\"ask\",\"type\":\"human\",\"config\":{%s}}".formatted(config));
    for (var next : more) {
      nodes.add("{\"id\":\"again\",\"type\":\"human\",\"config\":{%s}}".formatted(next));
    }
    var graph =
        "{\"name\":\"%s\",\"nodes\":[%s],\"edges\":[{\"from\":\"__start__\",\"to\":\"ask\"}%s]}"
            .formatted(
                name,
                String.join(",", nodes),
                more.length == 0 ? "" : ",{\"from\":\"ask\",\"to\":\"again\"}");
    var created = post("alpha", "/v1/graphs", graph.replace('\'', '"'));
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
    var body =
        "{\"graph\":\"%1$s\",\"id\":\"%1$s\",\"thread_id\":\"%1$s\",\"input\":{}}".formatted(name);
    return question(post(starter.secret(), "/v1/runs?wait=30s", body).body());
  }

  private static String question(ObjectValue run) {
    var asked = (ObjectValue) ((ListValue) run.getOr("interrupts", Value.NULL)).get(0);
    return asked.textOrEmpty("id");
  }

  private Reply answer(Person who, String question) {
    return post(
        who.secret(), "/v1/interrupts/%s/answer?wait=30s".formatted(question), "{\"value\":1}");
  }

  private Reply claim(Person who, String question) {
    return post(who.secret(), "/v1/interrupts/%s/claim".formatted(question), "");
  }

  @Test
  void takesTheAnswerOfTheAssigneeAlone() {
    var question = asks("'assignee':'%s'".formatted(ann.id()));

    assertThat(answer(bob, question).body().textOrEmpty("detail"))
        .contains("is to be answered by '%s'".formatted(ann.id()));
    var resume = "/v1/runs/%s/resume".formatted(name);
    var command = "{\"assistant_id\":\"%s\",\"command\":{\"resume\":1}}".formatted(name);
    var refused =
        List.of(
            post(starter.secret(), resume, "{\"answers\":[{\"value\":1}]}"),
            post(
                starter.secret(),
                resume,
                "{\"answers\":[{\"interrupt_id\":\"%s\",\"value\":1}]}".formatted(question)),
            post(starter.secret(), "/langgraph/threads/%s/runs".formatted(name), command),
            post(starter.secret(), "/langgraph/threads/%s/runs/wait".formatted(name), command),
            claim(bob, question).status() == 409
                ? answer(bob, question)
                : new Reply(0, ObjectValue.empty()));
    assertThat(refused).extracting(Reply::status).containsOnly(403);
    assertThat(answer(ann, question).body().textOrEmpty("status")).isEqualTo("succeeded");
  }

  @Test
  void takesTheAnswerOfWhoHasClaimedAlone() {
    var question = asks("'payload':'Who?'");
    assertThat(claim(ann, question).status()).isEqualTo(200);

    var resume = "/v1/runs/%s/resume".formatted(name);
    var command = "{\"assistant_id\":\"%s\",\"command\":{\"resume\":1}}".formatted(name);
    assertThat(answer(bob, question).status()).isEqualTo(403);
    assertThat(post(starter.secret(), resume, "{\"answers\":[{\"value\":1}]}").status())
        .isEqualTo(403);
    assertThat(
            post(starter.secret(), "/langgraph/threads/%s/runs/wait".formatted(name), command)
                .status())
        .isEqualTo(403);
    assertThat(answer(ann, question).body().textOrEmpty("status")).isEqualTo("succeeded");
  }

  /// Who may not answer does not say what runs in the question's place either.
  @Test
  void letsNobodyElseEditTheRunOrForkAroundTheQuestion() {
    var question = asks("'assignee':'%s'".formatted(ann.id()));
    var resume = "/v1/runs/%s/resume".formatted(name);
    var edit = "{\"change\":{\"update\":{\"ask\":2}}}";
    var fork = "/v1/runs/%s/fork".formatted(name);
    var around = "{\"checkpoint\":0,\"as_node\":\"ask\"}";
    var state = "/langgraph/threads/%s/state".formatted(name);
    var update = "{\"values\":{\"ask\":1}}";

    assertThat(post(starter.secret(), resume, edit).status()).isEqualTo(403);
    assertThat(post(starter.secret(), state, update).status()).isEqualTo(403);
    assertThat(post(starter.secret(), fork, around).status()).isEqualTo(403);
    var again = post(starter.secret(), fork, "{\"checkpoint\":0}");
    assertThat(again.status()).as("it asks again").isEqualTo(202);
    assertThat(post("alpha", resume, edit).status()).isEqualTo(202);
    assertThat(recorded(question)).containsExactly("interrupt.override");
  }

  /// A claim by who may not answer would keep the question from all others.
  @Test
  void letsNobodyClaimWhatOthersAreToAnswerAndAdministratorsRelease() {
    var question = asks("'may_answer':'other_than_starter'");
    assertThat(claim(starter, question).status()).isEqualTo(403);
    assertThat(claim(ann, question).status()).isEqualTo(200);

    var release = "/v1/interrupts/%s/release".formatted(question);
    assertThat(post(bob.secret(), release, "").status()).isEqualTo(403);
    assertThat(post("alpha", release, "").status()).isEqualTo(200);
    assertThat(answer(bob, question).body().textOrEmpty("status")).isEqualTo("succeeded");
  }

  /// Nor around one that a run below has asked, also when it is closed.
  @Test
  void letsNobodyElseForkAroundAQuestionOfARunBelow() {
    var below = "%s-below".formatted(name);
    var graph =
        """
        {"name":"%s","nodes":[{"id":"ask","type":"human","config":{"assignee":"%s"}}],
         "edges":[{"from":"__start__","to":"ask"}]}
        """
            .formatted(below, ann.id());
    assertThat(post("alpha", "/v1/graphs", graph).status()).isEqualTo(201);
    var outer =
        """
        {"name":"%s","nodes":[{"id":"sub","type":"subgraph","config":{"graph":"%s","input":{}}}],
         "edges":[{"from":"__start__","to":"sub"}]}
        """
            .formatted(name, below);
    assertThat(post("alpha", "/v1/graphs", outer).status()).isEqualTo(201);
    var body =
        "{\"graph\":\"%1$s\",\"id\":\"%1$s\",\"thread_id\":\"%1$s\",\"input\":{}}".formatted(name);
    var question = question(post(starter.secret(), "/v1/runs?wait=30s", body).body());
    var state = "/langgraph/threads/%s/state".formatted(name);
    var update = "{\"values\":{},\"as_node\":\"sub\"}";
    var fork = "/v1/runs/%s/fork".formatted(name);
    var around = "{\"checkpoint\":0,\"as_node\":\"sub\"}";

    assertThat(post(starter.secret(), state, update).status()).isEqualTo(403);
    assertThat(post(starter.secret(), fork, around).status()).isEqualTo(403);
    assertThat(answer(ann, question).status()).isEqualTo(200);
    assertThat(post(starter.secret(), fork, around).status()).isEqualTo(403);
  }

  @Test
  void letsAdministratorsOverrideAndRecordsIt() {
    var question = asks("'assignee':'%s','not':['role:admin']".formatted(ann.id()));
    var body = "{\"value\":1,\"override\":true}";
    var path = "/v1/interrupts/%s/answer?wait=30s".formatted(question);

    assertThat(post(bob.secret(), path, body).status()).isEqualTo(403);
    assertThat(post("alpha", path, "{\"value\":1}").status()).isEqualTo(403);
    assertThat(post("alpha", path, body).body().textOrEmpty("status")).isEqualTo("succeeded");

    assertThat(recorded(question)).containsExactly("interrupt.answer", "interrupt.override");
  }

  private List<@Nullable String> recorded(String question) {
    return jdbc.sql("select action from audit_event where object_id = :id order by action")
        .param("id", question)
        .query(String.class)
        .list();
  }

  @Test
  void letsCandidatesClaimReleaseAndDelegate() {
    var question = asks("'candidates':['%s','role:operator']".formatted(ann.id()));
    assertThat(claim(bob, question).status()).isEqualTo(403);
    assertThat(claim(ann, question).body().textOrEmpty("assignee")).isEqualTo(ann.id());
    assertThat(claim(ann, question).status()).as("again").isEqualTo(200);

    var operator = person("operator", "\"operator\",\"answerer\"");
    assertThat(claim(operator, question).code()).isEqualTo("interrupt_claimed");
    assertThat(answer(operator, question).status()).isEqualTo(403);
    var release = "/v1/interrupts/%s/release".formatted(question);
    assertThat(post(operator.secret(), release, "").status()).isEqualTo(403);
    assertThat(post(ann.secret(), release, "").body().has("assignee")).isFalse();

    var delegate = "/v1/interrupts/%s/delegate".formatted(question);
    var toBob = "{\"to\":\"%s\"}".formatted(bob.id());
    assertThat(post(bob.secret(), delegate, toBob).status()).isEqualTo(403);
    assertThat(post(operator.secret(), delegate, "{\"to\":\"group:all\"}").status()).isEqualTo(422);
    assertThat(post(operator.secret(), delegate, toBob).body().textOrEmpty("assignee"))
        .isEqualTo(bob.id());
    assertThat(answer(operator, question).status()).isEqualTo(403);
    assertThat(answer(bob, question).body().textOrEmpty("status")).isEqualTo("succeeded");
    assertThat(claim(bob, question).code()).isEqualTo("interrupt_closed");
  }

  @Test
  void givesARacedQuestionToOne() throws Exception {
    var question = asks("'payload':'Who?'");
    var racers = List.of(ann, bob, starter, ann, bob, starter);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var claims =
          threads.invokeAll(
              racers.stream().<Callable<Reply>>map(it -> () -> claim(it, question)).toList());
      var assignees = new ArrayList<String>();
      for (var claim : claims) {
        var reply = claim.get();
        assertThat(reply.status()).isIn(200, 409);
        if (reply.status() == 200) {
          assignees.add(reply.body().textOrEmpty("assignee"));
        }
      }
      assertThat(assignees).isNotEmpty();
      assertThat(assignees.stream().distinct()).hasSize(1);
    }
  }

  @Test
  void keepsOutWhoStartedOrHasAnsweredBefore() {
    var first = asks("'not':['starter']", "'not':['answered','%s']".formatted(bob.id()));
    assertThat(answer(starter, first).status()).isEqualTo(403);
    assertThat(claim(starter, first).status()).isEqualTo(403);

    var second = question(answer(ann, first).body());
    assertThat(answer(ann, second).body().textOrEmpty("detail")).contains("has answered");
    assertThat(answer(bob, second).status()).isEqualTo(403);
    assertThat(answer(starter, second).body().textOrEmpty("status")).isEqualTo("succeeded");
  }

  @Test
  void listsWhatIsMineOrMayBe() {
    var question = asks("'candidates':['role:operator','%s']".formatted(ann.id()));
    var operator = person("operator", "\"operator\",\"answerer\"");
    var list = "/v1/interrupts?status=open&graph=%s&assigned=".formatted(name);

    assertThat(listed(ann, list + "me")).isEmpty();
    assertThat(listed(ann, list + "nobody")).containsExactly(question);
    assertThat(listed(ann, list + "my_groups")).isEmpty();
    assertThat(listed(operator, list + "my_groups")).containsExactly(question);
    assertThat(listed(bob, list + "nobody")).isEmpty();

    claim(ann, question);
    assertThat(listed(ann, list + "me")).containsExactly(question);
    assertThat(listed(operator, list + "nobody")).isEmpty();
  }

  private List<String> listed(Person who, String path) {
    var reply = send("GET", who.secret(), path, "");
    return items(reply).stream().map(it -> ((ObjectValue) it).textOrEmpty("id")).toList();
  }
}
