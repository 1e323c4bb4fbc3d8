package dev.superstep.node.spec;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Computes a node result: every member is a template. `dispatch` that comes out empty leads to the
/// node's `if_empty`, unless `goto` says otherwise.
public interface ExpressionConfig {
  /// Dispatches, in addition to the edges: "run node once, next superstep, with this input".
  @Key(form = Key.Form.ITEM)
  ExpressionConfig dispatch(@Nullable Object... items);

  /// Dispatches, in addition to the edges: "run node once, next superstep, with this input".
  ExpressionConfig dispatch(String value);

  /// How far what a task dispatches has to get, in place of the node's `dispatch_policy`, with the
  /// same keys; a template may give null for that.
  ExpressionConfig dispatchPolicy(Map<String, ?> value);

  /// How far what a task dispatches has to get, in place of the node's `dispatch_policy`, with the
  /// same keys; a template may give null for that.
  ExpressionConfig dispatchPolicy(String value);

  /// Events of type `custom`, stored with the commit: `[{name, data}]`, at most 100.
  @Key(form = Key.Form.ITEM)
  ExpressionConfig events(@Nullable Object... items);

  /// Events of type `custom`, stored with the commit: `[{name, data}]`, at most 100.
  ExpressionConfig events(String value);

  /// Node ids that replace the node's edges; [] ends the branch; a template may give null to keep
  /// the edges.
  @Key(value = "goto", form = Key.Form.ITEM)
  ExpressionConfig goTo(String... items);

  /// Node ids that replace the node's edges; [] ends the branch; a template may give null to keep
  /// the edges.
  @Key("goto")
  ExpressionConfig goTo(String value);

  /// Metadata of this node's history entry in the prompt context.
  ExpressionConfig historyMetadata(Map<String, ?> value);

  /// Metadata of this node's history entry in the prompt context.
  ExpressionConfig historyMetadata(String value);

  /// A question to a person: the run stops until it is answered, then the node runs again with
  /// `resume`. To ask only the first time: {{ resume == null ? dyn({'reason': 'ok?'}) : null }}.
  /// Cannot stand beside goto or dispatch.
  ExpressionConfig interrupt(Map<String, ?> value);

  /// A question to a person: the run stops until it is answered, then the node runs again with
  /// `resume`. To ask only the first time: {{ resume == null ? dyn({'reason': 'ok?'}) : null }}.
  /// Cannot stand beside goto or dispatch.
  ExpressionConfig interrupt(String value);

  /// Channel → value, replacing what is there, past the reducer.
  ExpressionConfig overwrite(Map<String, ?> value);

  /// Channel → value, replacing what is there, past the reducer.
  ExpressionConfig overwrite(String value);

  /// The prompt of this node's history entry in the prompt context.
  ExpressionConfig prompt(String value);

  /// Channels to delete.
  @Key(form = Key.Form.ITEM)
  ExpressionConfig remove(String... items);

  /// Channels to delete.
  ExpressionConfig remove(String value);

  /// Ids of messages to take out of channels with reducer `messages`.
  @Key(form = Key.Form.ITEM)
  ExpressionConfig removeMessages(String... items);

  /// Ids of messages to take out of channels with reducer `messages`.
  ExpressionConfig removeMessages(String value);

  /// The response of this node's history entry in the prompt context.
  ExpressionConfig response(String value);

  /// Channel → value, handed to the channel's reducer.
  ExpressionConfig update(Map<String, ?> value);

  /// Channel → value, handed to the channel's reducer.
  ExpressionConfig update(String value);

  /// Variables added to the prompt context; objects are flattened to dotted keys.
  ExpressionConfig variables(Map<String, ?> value);

  /// Variables added to the prompt context; objects are flattened to dotted keys.
  ExpressionConfig variables(String value);
}
