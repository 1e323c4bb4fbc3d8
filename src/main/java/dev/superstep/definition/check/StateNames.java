package dev.superstep.definition.check;

import dev.superstep.definition.Codes;
import dev.superstep.definition.form.Fields;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.form.Suggestion;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.expression.Mention;
import dev.superstep.expression.Mention.Kind;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.violation.Location;
import dev.superstep.violation.Violation;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Checks the channels that expressions read as `state.x`: one that nothing declares or writes is
/// most likely misspelt. Under `strict_channels` it cannot exist at all.
final class StateNames {
  /// The fields of agents (S1-10, S1-11), known without a declaration.
  private static final Set<String> AGENT_FIELDS =
      Set.of(
          "messages",
          "full_messages",
          "system_prompt",
          "tools",
          "max_iterations",
          "iteration",
          "scratchpad",
          "context",
          "callbacks",
          "callback_meta",
          "finish_reason",
          "validated_content",
          "interrupted",
          "rejected");

  private final List<ExpressionTexts.Named> named;
  private final DeclaredNames declaredNames;
  private final Map<String, WrittenChannels> writes;

  /// @param writes of the nodes, by id
  StateNames(
      List<ExpressionTexts.Named> named,
      DeclaredNames declaredNames,
      Map<String, WrittenChannels> writes) {
    this.named = List.copyOf(named);
    this.declaredNames = declaredNames;
    this.writes = Map.copyOf(writes);
  }

  void check(Fields graph, Location at) {
    var known = known(graph, at);
    boolean certain =
        writes.values().stream().allMatch(it -> it.others() == WrittenChannels.Others.NONE)
            && writes.size() == graph.list("nodes").size();
    if (!declaredNames.strict() && !certain) {
      return;
    }
    named.forEach(it -> check(it.mentions(), known, it.location()));
  }

  private Set<String> known(Fields graph, Location at) {
    if (declaredNames.strict()) {
      return declaredNames.channels();
    }
    var known = new HashSet<>(declaredNames.channels());
    known.addAll(AGENT_FIELDS);
    writes
        .values()
        .forEach(it -> {
          known.addAll(it.own());
          known.addAll(it.named());
        });
    Item.each(graph, "edges", at).forEach(it -> it.fields().text("error_to").ifPresent(known::add));
    graph
        .fields("input")
        .flatMap(it -> it.fields("schema"))
        .ifPresent(
            it -> known.addAll(it.objectOr("properties", ObjectValue.empty()).asMap().keySet()));
    return known;
  }

  private void check(List<Mention> mentions, Set<String> known, Location location) {
    var asked =
        mentions.stream()
            .filter(it -> it.kind() == Kind.ASKED_CHANNEL)
            .map(Mention::name)
            .collect(Collectors.toSet());
    var said = new HashSet<String>();
    for (var mention : mentions) {
      boolean read =
          mention.kind() == Kind.CHANNEL
              || (declaredNames.strict() && mention.kind() == Kind.ASKED_CHANNEL);
      boolean guarded = !declaredNames.strict() && asked.contains(mention.name());
      if (read && !guarded && !known.contains(mention.name()) && said.add(mention.name())) {
        report(mention, known, location);
      }
    }
  }

  private void report(Mention mention, Set<String> known, Location location) {
    var name = mention.name();
    var hint = Suggestion.among(known, name);
    if (declaredNames.strict()) {
      location.error(
          problem(
              mention,
              "there is no channel '%s'%s, and strict_channels allows only declared ones"
                  .formatted(name, hint)));
    } else {
      location.warn(
          problem(
              mention,
              "nothing declares or writes channel '%s'%s; if runs bring it with their input, declare it in input.schema or channels"
                  .formatted(name, hint)));
    }
  }

  private static Violation problem(Mention mention, String message) {
    return new Violation("", Codes.UNKNOWN_CHANNEL, message, mention.line(), mention.column());
  }
}
