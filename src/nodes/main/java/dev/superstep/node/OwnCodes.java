package dev.superstep.node;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Which error codes graphs may call their own, so that a code says whether the graph failed the
/// run or the service did.
final class OwnCodes {
  private static final Set<String> PREFIXES =
      Set.of("child_", "http_", "model_", "node_", "run_", "superstep_");

  /// Codes of the engine and of node types that have none of the prefixes.
  private static final Set<String> TAKEN =
      Set.of(
          "append_only",
          "bad_arguments",
          "bad_messages",
          "bad_model_options",
          "bad_node_result",
          "bad_step_result",
          "bad_summary",
          "budget_exhausted",
          "budget_needs_bounds",
          "channel_conflict",
          "content_filter",
          "context_incompatible",
          "context_length_exceeded",
          "delta_not_derivable",
          "dispatch_limit_exceeded",
          "duplicate_dispatch_id",
          "egress_refused",
          "expression_failed",
          "expression_too_large",
          "interrupt_expired",
          "invalid_channel_name",
          "invalid_context",
          "invalid_duration",
          "invalid_expression",
          "invalid_input",
          "invalid_output",
          "invalid_route",
          "invalid_time",
          "max_model_calls_exceeded",
          "max_supersteps_exceeded",
          "max_tokens_exceeded",
          "mirror_target",
          "missing_node",
          "nesting_too_deep",
          "no_branch_completed",
          "not_boolean",
          "not_json",
          "outcomes_too_large",
          "poison_run",
          "reducer_failed",
          "reserved_channel",
          "result_too_large",
          "schema_violation",
          "stalled_join",
          "state_too_large",
          "step_mismatch",
          "too_few_dispatches",
          "too_many_child_runs",
          "too_many_steps",
          "undeclared_channel",
          "unknown_model",
          "unknown_outcome",
          "unknown_tool");

  private OwnCodes() {}

  /// Why a graph may not call it its own; empty if it may.
  static Optional<String> reserved(String code) {
    if (TAKEN.contains(code)) {
      return Optional.of("'%s' is a code of the service's own".formatted(code));
    }
    return prefixes()
        .filter(code::startsWith)
        .findFirst()
        .map("codes that begin with '%s' are the service's own"::formatted);
  }

  private static Stream<String> prefixes() {
    return PREFIXES.stream().sorted();
  }
}
