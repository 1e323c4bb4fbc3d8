package example;

import dev.superstep.state.MergeFunction;
import dev.superstep.state.ReduceException;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.springframework.stereotype.Component;

/// A context merge: who the user is stays, the newest session wins, requests are counted, tags are
/// united.
@Component("merge_contexts")
public final class ContextMerge implements MergeFunction {

  @Override
  public Value merge(Value left, Value right) {
    if (left instanceof ObjectValue first && right instanceof ObjectValue second) {
      return merge(first, second);
    }
    throw new ReduceException("", "a context is an object");
  }

  private static Value merge(ObjectValue first, ObjectValue second) {
    var user = first.get("user_id");
    if (user == null) {
      throw new ReduceException("/user_id", "the context has no user_id");
    }
    var session = second.getOr("session", first.getOr("session", ObjectValue.empty()));
    return ObjectValue.of("user_id", user)
        .plus("session", session)
        .plus("request_count", new Reducer.Sum().reduce(count(first), count(second)))
        .plus("tags", new Reducer.Union().reduce(tags(first), tags(second)));
  }

  private static Value count(ObjectValue context) {
    return context.getOr("request_count", Value.of(0));
  }

  private static Value tags(ObjectValue context) {
    return context.getOr("tags", ListValue.empty());
  }
}
