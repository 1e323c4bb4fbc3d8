package dev.superstep.run.store;

import dev.superstep.checkpoint.codec.ChangeCodec;
import dev.superstep.checkpoint.codec.StoredObject;
import dev.superstep.run.ContinueThread;
import dev.superstep.run.ContinueThread.Given;
import dev.superstep.run.ContinueThread.Work;
import dev.superstep.run.IfBusy;
import dev.superstep.run.SettingsChange;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Writes and reads calls that wait to go on with their thread (`run_input.continues`). Where they
/// go on from is in the head of the run.
final class StoredContinuation {
  private StoredContinuation() {}

  static byte[] bytes(ContinueThread call) {
    var work = call.work();
    var given = call.given();
    var settings = given.settings();
    var written =
        ObjectValue.builder()
            .put("change", StoredObject.value(ChangeCodec.bytes(work.change())))
            .put("goto", ListValue.texts(work.goTo().toArray(String[]::new)))
            .put("ends", Value.of(work.ends()))
            .put("variables", given.variables());
    work.answer().ifPresent(it -> written.put("answer", ListValue.of(it)));
    given.supersteps().ifPresent(it -> written.put("supersteps", Value.of((long) it)));
    settings.interruptBefore().ifPresent(it -> written.put("before", sorted(it)));
    settings.interruptAfter().ifPresent(it -> written.put("after", sorted(it)));
    return StoredObject.bytes(written.build());
  }

  private static ListValue sorted(Collection<String> nodes) {
    return ListValue.texts(new TreeSet<>(nodes).toArray(String[]::new));
  }

  static ContinueThread read(byte[] bytes, String thread) {
    var in = StoredJson.object(bytes);
    var work =
        new Work(
            in.get("answer") instanceof ListValue one ? Optional.of(one.get(0)) : Optional.empty(),
            ChangeCodec.read(StoredObject.bytes(in.getOr("change", ObjectValue.empty()))),
            texts(in, "goto"),
            in.getOr("ends", Value.NULL).equals(Value.of(true)));
    var settings = new SettingsChange(nodes(in, "before"), nodes(in, "after"));
    var supersteps =
        in.get("supersteps") instanceof Value.Int(var number)
            ? Optional.of(Math.toIntExact(number))
            : Optional.<Integer>empty();
    var variables = in.get("variables") instanceof ObjectValue all ? all : ObjectValue.empty();
    var given = new Given(supersteps, variables, settings);
    return new ContinueThread(thread, Optional.empty(), work, given, IfBusy.ENQUEUE);
  }

  private static Optional<Set<String>> nodes(ObjectValue in, String member) {
    return in.has(member) ? Optional.of(Set.copyOf(texts(in, member))) : Optional.empty();
  }

  private static List<String> texts(ObjectValue in, String member) {
    return in.getOr(member, ListValue.empty()) instanceof ListValue list
        ? list.stream().map(it -> ((Value.Text) it).value()).toList()
        : List.of();
  }
}
